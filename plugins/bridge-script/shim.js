// Takes alert, confirm and prompt from the page before the browser does. It runs before the first script of every document;
// a page's scripts can change everything that they can reach afterwards, so from then on it uses only what it captured
// here, and syntax: template literals make strings, literals have no prototype, arrays are only read by Reflect.apply.
//
// https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#simple-dialogs
'use strict';

(function (pauseToken, requestToken, address, maxMessage, waitMs) {
  const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const { hasOwn } = Object;
  const getter = (object, name) => getOwnPropertyDescriptor(object, name).get;

  const page = window;
  const { top } = page;
  const documentOf = getter(page, 'document');
  const childCount = getter(page, 'length');
  const currentEvent = getter(page, 'event');
  const eventType = getter(Event.prototype, 'type');
  const eventPhase = getter(Event.prototype, 'eventPhase');
  const { indexOf, slice, toWellFormed } = String.prototype;
  const { encodeURIComponent, performance, Proxy, XMLHttpRequest } = page;
  const { now } = Performance.prototype;
  const { open, send } = XMLHttpRequest.prototype;
  const status = getter(XMLHttpRequest.prototype, 'status');
  const responseText = getter(XMLHttpRequest.prototype, 'responseText');

  // A native dialog that opens while one of these is dispatched can be answered by nobody and wedges the tab. The event that
  // is kept tells whether its dispatch still goes on, also in the microtasks of its listeners.
  const swapping = { __proto__: null, pageswap: null, visibilitychange: null };
  const note = (event) => {
    if (event.isTrusted) {
      swapping[apply(eventType, event, [])] = event;
    }
  };
  for (const type in swapping) {
    page.addEventListener(type, note, true);
  }

  // Between pagehide and pageshow only what ends with the page runs script. Neither beforeunload nor unload has a listener
  // here: the browser blocks native dialogs in them by itself, and would treat the page otherwise because of the listener.
  //
  // https://html.spec.whatwg.org/multipage/browsing-the-web.html#unload-a-document
  let hidden = false;
  page.addEventListener('pagehide', (event) => void (hidden ||= event.isTrusted), true);
  const comeBack = (event) => {
    if (event.isTrusted) {
      hidden = false;
      swapping.pageswap = null; // the phase of an event whose target is a window stays as it was
    }
  };
  page.addEventListener('pageshow', comeBack, true);

  function dispatching(type) {
    const current = apply(currentEvent, page, []);
    return current !== undefined && current.isTrusted && apply(eventType, current, []) === type;
  }

  function isLeft() {
    for (const type in swapping) {
      const noted = swapping[type];
      if (noted !== null && noted.isTrusted && apply(eventPhase, noted, []) !== 0) {
        return true;
      }
    }
    // document.open removes the listeners above.
    return hidden || dispatching('pagehide') || dispatching('pageswap') || dispatching('visibilitychange');
  }

  // A request is one text, each field after its length in UTF-16 code units.
  const field = (text) => `${text.length}:${text}`;
  const cut = (text) => (text.length > maxMessage ? apply(slice, text, [0, maxMessage]) : text);

  // normalized has every line end as one line feed, as a native dialog's message does.
  //
  // https://infra.spec.whatwg.org/#normalize-newlines
  function normalized(text) {
    let out = '';
    let from = 0;
    for (let at; (at = apply(indexOf, text, ['\r', from])) !== -1; from = at + 1) {
      out += apply(slice, text, [from, at]);
      if (apply(slice, text, [at + 1, at + 2]) !== '\n') {
        out += '\n';
      }
    }
    return out + apply(slice, text, [from]);
  }

  const documentKey = `${Math.random()}`;
  let dialogs = 0;

  // The host finds the pause in this function by its script's name, reads hermes.request, marks it as
  // seen, and writes hermes.answer.
  function pause(request) {
    const hermes = { __proto__: null, request, seen: false, answer: undefined };
    debugger;
    return hermes;
  }

  // The reply is 0 for a dismissed dialog, 1 for an accepted one, 2 for one that is accepted with the text that follows.
  function fetch(request) {
    let text;
    try {
      const xhr = new XMLHttpRequest();
      apply(open, xhr, ['GET', `${address}?${encodeURIComponent(apply(toWellFormed, request, []))}`, false]);
      apply(send, xhr, [null]);
      if (apply(status, xhr, []) !== 200) {
        return undefined;
      }
      text = apply(responseText, xhr, []);
    } catch {
      return undefined;
    }
    switch (apply(slice, text, [0, 1])) {
      case '0':
        return { __proto__: null, accepted: false, text: undefined };
      case '1':
        return { __proto__: null, accepted: true, text: undefined };
      case '2':
        return { __proto__: null, accepted: true, text: apply(slice, text, [1]) };
    }
    return undefined;
  }

  // A supervisor that took a dialog and was lost is back in a moment, if it comes back. It can not reach a page that holds
  // its thread, so there is no use in asking again; but a native dialog that opens when it is there is the supervisor's.
  function wait() {
    const until = apply(now, performance, []) + waitMs;
    while (apply(now, performance, []) < until);
  }

  // ask returns the supervisor's answer, or undefined where there is none to be had.
  function ask(type, message, preset, suppressed) {
    dialogs++;
    const rest =
      field(type) + field(cut(normalized(message))) + field(cut(preset)) + field(`${documentKey}-${dialogs}`) + field(suppressed);
    const hermes = pause(field(pauseToken) + rest);
    if (hermes.answer !== undefined) {
      return hermes.answer;
    }
    const answer = fetch(field(requestToken) + rest);
    if (answer === undefined && hermes.seen) {
      wait();
    }
    return answer;
  }

  const dismissed = { __proto__: null, alert: undefined, confirm: false, prompt: null };

  // The first way that works decides: the supervisor, else the native function where it is safe, else what the browser
  // gives for a dialog that it does not show.
  function decide(type, native, receiver, message, preset, args) {
    const suppressed = dispatching('beforeunload') ? 'beforeunload' : '';
    const answer = ask(type, message, preset, suppressed);
    if (answer !== undefined) {
      switch (type) {
        case 'alert':
          return undefined;
        case 'confirm':
          return answer.accepted;
      }
      return !answer.accepted ? null : answer.text === undefined ? preset : answer.text;
    }
    if (suppressed === '' && !isLeft()) {
      return apply(native, receiver, args);
    }
    return dismissed[type];
  }

  // The native function throws its own error for a receiver that is no window of this origin.
  function wrongReceiver(receiver) {
    if (receiver === undefined || receiver === null) {
      return false;
    }
    try {
      apply(documentOf, receiver, []);
      return false;
    } catch {
      return true;
    }
  }

  // An error that is made while this script runs has its frames on the stack. Those that the native functions throw are given
  // the stack of the call instead, which is that of the native error. Those that an argument's own toString throws lose the
  // frames of this script when they pass. The limit of frames is raised for as long, so that none of the page's is missing.
  //
  // https://v8.dev/docs/stack-trace-api
  const { captureStackTrace } = Error;
  const { toString: errorToString } = Error.prototype;
  const ownFrames = 3;
  const limitOf = () => {
    const own = getOwnPropertyDescriptor(Error, 'stackTraceLimit');
    return own !== undefined && typeof own.value === 'number' ? own.value : undefined;
  };
  const setLimit = (value) => defineProperty(Error, 'stackTraceLimit', { __proto__: null, value }); // not where it is frozen

  // formatting runs something while stacks are formatted by a function of this script, to which the page's is given; false
  // where the page does not let it.
  function formatting(format, run) {
    const own = getOwnPropertyDescriptor(Error, 'prepareStackTrace');
    const pages = own !== undefined && typeof own.value === 'function' ? own.value : undefined;
    const value = (error, sites) => format(error, sites, pages);
    if (!defineProperty(Error, 'prepareStackTrace', { __proto__: null, value, writable: true, enumerable: true, configurable: true })) {
      return false;
    }
    try {
      run();
      return true;
    } finally {
      if (own === undefined) {
        deleteProperty(Error, 'prepareStackTrace');
      } else {
        defineProperty(Error, 'prepareStackTrace', { __proto__: null, ...own });
      }
    }
  }

  const { get: stackOf, set: setStack } = getOwnPropertyDescriptor(new Error(), 'stack');
  let siteToString, siteScript, ownScript;
  formatting(
    (_, sites) => {
      ({ toString: siteToString, getScriptNameOrSourceURL: siteScript } = getPrototypeOf(sites[0]));
      ownScript = apply(siteScript, sites[0], []);
    },
    () => void new Error().stack,
  );

  function withoutOwnFrames(error, limit) {
    if (stackOf === undefined || limit === undefined || (typeof error !== 'object' && typeof error !== 'function')) {
      return;
    }
    const format = (subject, sites, pages) => {
      const all = sites.length;
      let kept = 0;
      for (let i = 0; i < all; i++) {
        if (apply(siteScript, sites[i], []) !== ownScript) {
          sites[kept++] = sites[i];
        }
      }
      if (kept < all || all === limit + ownFrames) { // else it was made before, perhaps under another limit
        kept = kept < limit ? kept : limit;
      }
      sites.length = kept;
      if (pages !== undefined) {
        return apply(pages, Error, [subject, sites]);
      }
      let text = apply(errorToString, subject, []);
      for (let i = 0; i < kept; i++) {
        text += `\n    at ${apply(siteToString, sites[i], [])}`;
      }
      return text;
    };
    if (!formatting(format, () => void apply(stackOf, error, []))) {
      const text = apply(stackOf, error, []);
      if (typeof text === 'string' && apply(indexOf, text, [`${ownScript}:`]) !== -1) {
        apply(setStack, error, [withoutOwnLines(text)]);
      }
    }
  }

  // withoutOwnLines is for a page that froze Error.
  function withoutOwnLines(text) {
    let out = '';
    for (let from = 0, end; from < text.length; from = end) {
      const at = apply(indexOf, text, ['\n', from]);
      end = at === -1 ? text.length : at + 1;
      const line = apply(slice, text, [from, end]);
      if (apply(indexOf, line, [`${ownScript}:`]) === -1) {
        out += line;
      }
    }
    return out;
  }

  function string(value) {
    const limit = limitOf();
    if (limit !== undefined) {
      setLimit(limit + ownFrames);
    }
    try {
      return `${value}`;
    } catch (error) {
      withoutOwnFrames(error, limit);
      throw error;
    } finally {
      if (limit !== undefined && limitOf() === limit + ownFrames) {
        setLimit(limit);
      }
    }
  }

  // A proxy of the native function has its name, its length and its other properties, is no constructor, and shows no source.
  const replace = (type, convert) => {
    const native = page[type];
    // refuse has the native function throw its own error.
    const refuse = (receiver, args) => {
      try {
        return apply(native, receiver, args);
      } catch (error) {
        captureStackTrace(error, handler.apply);
        throw error;
      }
    };
    const handler = {
      __proto__: null,
      apply(_, receiver, args) {
        if (wrongReceiver(receiver)) {
          return refuse(receiver, args);
        }
        const strings = convert(refuse, receiver, args);
        return decide(type, native, receiver, strings.message, strings.preset, strings.args);
      },
    };
    page[type] = new Proxy(native, handler);
    return page[type];
  };

  // As Web IDL does it: in order, before anything else, and with what an argument's own toString throws. A symbol can not
  // be made a string; the native function says so with its own error.
  const argument = (args, i) => (i < args.length ? args[i] : undefined);
  const symbol = (value) => typeof value === 'symbol';

  const alert = replace('alert', (refuse, receiver, args) => {
    if (args.length === 0) {
      return { __proto__: null, message: '', preset: '', args };
    }
    const message = symbol(args[0]) ? refuse(receiver, args) : string(args[0]);
    return { __proto__: null, message, preset: '', args: [message] };
  });
  const confirm = replace('confirm', (refuse, receiver, args) => {
    const first = argument(args, 0);
    const message = first === undefined ? '' : symbol(first) ? refuse(receiver, args) : string(first);
    return { __proto__: null, message, preset: '', args: [message] };
  });
  const prompt = replace('prompt', (refuse, receiver, args) => {
    const first = argument(args, 0);
    const message = first === undefined ? '' : symbol(first) ? refuse(receiver, args) : string(first);
    const second = argument(args, 1);
    const preset = second === undefined ? '' : symbol(second) ? refuse(receiver, [message, second]) : string(second);
    return { __proto__: null, message, preset, args: [message, preset] };
  });

  // The native toString knows no name of a proxy.
  const { toString } = Function.prototype;
  const nameless = 'function () { [native code] }';
  const shown = new Proxy(toString, {
    __proto__: null,
    apply(_, receiver, args) {
      const text = apply(toString, receiver, args);
      const name = text === nameless ? nameHere(receiver) || nameIn(top, receiver) : '';
      return name === '' ? text : `function ${name}() { [native code] }`;
    },
  });
  Function.prototype.toString = shown;

  function nameHere(value) {
    switch (value) {
      case alert:
        return 'alert';
      case confirm:
        return 'confirm';
      case prompt:
        return 'prompt';
      case shown:
        return 'toString';
    }
    return '';
  }

  // The functions of another window of the tab are found by where they are. Neither descriptors nor indexes of windows
  // run code of a page.
  function nameIn(realm, value) {
    if (realm !== page) {
      try {
        const functionPrototype = getPrototypeOf(getter(realm, 'document'));
        if (holds(functionPrototype, 'toString', value)) {
          return 'toString';
        }
        for (const type in dismissed) {
          if (holds(realm, type, value)) {
            return type;
          }
        }
      } catch {
        // A window of another origin.
      }
    }
    for (let i = 0, n = apply(childCount, realm, []); i < n; i++) {
      const name = nameIn(realm[i], value);
      if (name !== '') {
        return name;
      }
    }
    return '';
  }

  function holds(object, name, value) {
    const property = getOwnPropertyDescriptor(object, name);
    return property !== undefined && hasOwn(property, 'value') && property.value === value;
  }
})
