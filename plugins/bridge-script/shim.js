// Replaces alert, confirm and prompt in the page. It runs before the first script of every document; afterwards a page's
// scripts can change everything that they can reach, so from then on it uses only what it captured here, and syntax:
// template literals build strings, object literals have no prototype, and only Reflect.apply reads arrays.
//
// https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#simple-dialogs
'use strict';

(function (pauseToken, requestToken, address, maxMessage, waitMs) {
  const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const { hasOwn } = window.Object;
  const getter = (object, name) => getOwnPropertyDescriptor(object, name).get;

  const page = window;
  const { top } = page;
  const documentOf = getter(page, 'document');
  const childCount = getter(page, 'length');
  const currentEvent = getter(page, 'event');
  const eventType = getter(Event.prototype, 'type');
  const eventPhase = getter(Event.prototype, 'eventPhase');
  const { indexOf, slice, toWellFormed } = String.prototype;
  const { encodeURIComponent, Object, performance, Proxy, XMLHttpRequest } = page;
  const { now } = Performance.prototype;
  const { open, send } = XMLHttpRequest.prototype;
  const status = getter(XMLHttpRequest.prototype, 'status');
  const responseText = getter(XMLHttpRequest.prototype, 'responseText');

  // Nobody can answer a native dialog that opens while one of these events is dispatched, and it blocks the tab. The stored
  // event says whether its dispatch is still running, even in the microtasks of its listeners.
  const swapping = { __proto__: null, pageswap: null, visibilitychange: null };
  const note = (event) => {
    if (event.isTrusted) {
      swapping[apply(eventType, event, [])] = event;
    }
  };
  for (const type in swapping) {
    page.addEventListener(type, note, true);
  }

  // Between pagehide and pageshow, script runs only as part of the end of the page. There is no listener for beforeunload or
  // unload: the browser itself blocks native dialogs in them, and a listener would change how it treats the page.
  //
  // https://html.spec.whatwg.org/multipage/browsing-the-web.html#unload-a-document
  let hidden = false;
  page.addEventListener('pagehide', (event) => void (hidden ||= event.isTrusted), true);
  const comeBack = (event) => {
    if (event.isTrusted) {
      hidden = false;
      swapping.pageswap = null; // the phase of an event whose target is a window does not change
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

  // A request is one string: each field has its length in UTF-16 code units before it.
  const field = (text) => `${text.length}:${text}`;
  const cut = (text) => (text.length > maxMessage ? apply(slice, text, [0, maxMessage]) : text);

  // normalized turns every line end into a line feed, as in a native dialog's message.
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

  // The reply is 0 for a dismissed dialog, 1 for an accepted one, and 2 for one accepted with the text that follows.
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

  // A supervisor that was lost while it had a dialog comes back soon, or never. It cannot reach a page that blocks its own
  // thread, so asking again is useless; but it will see a native dialog that opens once it is back.
  function wait() {
    const until = apply(now, performance, []) + waitMs;
    while (apply(now, performance, []) < until);
  }

  // ask returns the supervisor's answer, or undefined if there is none.
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

  // The first way that works decides: the supervisor, the native function if it is safe, or what the browser returns for a
  // dialog that it does not show.
  function decide(type, native, receiver, message, preset) {
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
      return apply(native, receiver, [message, preset]);
    }
    return dismissed[type];
  }

  // The native function throws its own error for a receiver that is not a window of this origin.
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

  // A page can look at the stack while an argument's own toString runs, and at the stack of what it throws. A function of
  // this script would be on it; bound functions, call, Reflect.apply and DOM functions are not. So this script only prepares
  // the conversion and returns; then native functions convert, call finish, and answer the page:
  //
  //   - What the page calls is a proxy whose trap is call, so that inner gets the receiver and the arguments as its own two
  //     arguments, and from this realm: V8 makes a trap's array of arguments in the realm of the caller.
  //   - inner's trap is a DOM function that takes a string, and gets that array. The function that turns an array into a
  //     string is looked up in Array.prototype, where this script is from the call on; no code of the page runs in between.
  //   - It returns a Reflect.apply that is bound to finish and to a list of arguments whose getters convert. finish stores
  //     the answer in an attribute, and the DOM function, which gets the attribute's name, returns it.
  //
  // bind reads the name of a function, which can be a getter of the page: later it is only called on what was bound here.
  //
  // https://v8.dev/docs/stack-trace-api
  const { captureStackTrace } = Error;
  const { bind, call, toString } = Function.prototype;
  const { toPrimitive } = Symbol;
  const arrayPrototype = Array.prototype;
  const { isArray } = Array;
  const { document } = page;
  const { createElement, createTextNode } = Document.prototype;
  const { getAttribute, hasAttribute, removeAttribute, setAttribute } = Element.prototype;
  const { get: getData, set: setData } = getOwnPropertyDescriptor(CharacterData.prototype, 'data');
  const bound = (f, ...args) => apply(bind, f, args);
  const applied = bound(apply, undefined);
  const setDataOf = bound(call, setData);
  const kept = apply(createElement, document, ['p']);
  const answerers = { __proto__: null, alert: removeAttribute, confirm: hasAttribute, prompt: getAttribute };

  // catchArray makes the function that prepare returns convert the next array that becomes a string. It returns false if the
  // page froze arrays, or ran before this script and replaced a function that would see the array first.
  let waiting;
  let before;
  const isNative = (name, f) => apply(toString, f, []) === `function ${name}() { [native code] }`;
  const canCatch = isNative('bind', bind) && isNative('call', call) && isNative('getAttribute', getAttribute) &&
    isNative('hasAttribute', hasAttribute) && isNative('removeAttribute', removeAttribute);

  function catchArray(prepare) {
    const own = getOwnPropertyDescriptor(arrayPrototype, toPrimitive);
    if (own === undefined || own.get === undefined || own.get !== waiting) { // otherwise a stack overflow left it there
      before = own;
    }
    const former = before;
    const get = function () {
      if (former === undefined) {
        deleteProperty(arrayPrototype, toPrimitive);
      } else {
        defineProperty(arrayPrototype, toPrimitive, { __proto__: null, ...former });
      }
      return isArray(this) && this.length === 2 && isArray(this[1]) ? prepare(this) : undefined;
    };
    waiting = get;
    return canCatch && defineProperty(arrayPrototype, toPrimitive, { __proto__: null, configurable: true, get });
  }

  // conversion follows Web IDL: in order, before anything else, and it throws what an argument's own toString throws. The
  // native function throws its own errors for a wrong receiver and for a symbol.
  function conversion(type, native, receiver, args) {
    const steps = { __proto__: null, length: 0 };
    const step = (get) => {
      defineProperty(steps, steps.length, { __proto__: null, get });
      steps.length++;
    };
    const refuse = (list) => step(bound(applied, undefined, native, receiver, list));
    const text = (i) => {
      const value = i < args.length ? args[i] : undefined;
      if (value === undefined && (type !== 'alert' || args.length === 0)) {
        return '';
      }
      if (typeof value === 'symbol') {
        refuse(i === 0 ? [value] : ['', value]);
      } else if (Object(value) !== value) {
        return `${value}`;
      }
      const node = apply(createTextNode, document, ['']);
      step(bound(setDataOf, undefined, node, value));
      return node;
    };
    const read = (made) => (typeof made === 'string' ? made : apply(getData, made, []));

    if (wrongReceiver(receiver)) {
      refuse(args);
    }
    const message = text(0);
    const preset = type === 'prompt' ? text(1) : '';
    const finish = () => {
      const answer = decide(type, native, receiver, read(message), read(preset));
      if (answer === null || answer === false) {
        apply(removeAttribute, kept, ['answer']);
      } else {
        apply(setAttribute, kept, ['answer', `${answer}`]);
      }
      return 'answer';
    };
    return bound(applied, undefined, finish, undefined, steps);
  }

  // A proxy of the native function has its name, length and other properties, is not a constructor, and shows no source.
  const replace = (type) => {
    const native = page[type];
    const answer = bound(call, bound(call, bound(answerers[type], kept))); // it uses the last of its three arguments
    const prepare = (packed) => conversion(type, native, packed[0], packed[1]);
    const seen = (_, receiver, packed) => {
      apply(prepare(packed), undefined, []);
      return apply(answerers[type], kept, ['answer']);
    };
    const inner = new Proxy(native, {
      __proto__: null,
      get apply() {
        return catchArray(prepare) ? answer : seen;
      },
    });
    page[type] = new Proxy(native, { __proto__: null, apply: bound(call, inner) });
    return page[type];
  };
  const alert = replace('alert');
  const confirm = replace('confirm');
  const prompt = replace('prompt');

  // The native toString does not know the name of a proxy.
  const nameless = 'function () { [native code] }';
  const handler = {
    __proto__: null,
    apply(_, receiver, args) {
      let text;
      try {
        text = apply(toString, receiver, args);
      } catch (error) {
        captureStackTrace(error, handler.apply);
        throw error;
      }
      const name = text === nameless ? nameHere(receiver) || nameIn(top, receiver) : '';
      return name === '' ? text : `function ${name}() { [native code] }`;
    },
  };
  const shown = new Proxy(toString, handler);
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

  // The functions of another window of the tab are found by their position. Neither descriptors nor indexes of windows run
  // code of a page.
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
