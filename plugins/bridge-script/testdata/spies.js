// Each function and accessor that a page can reach by name is replaced by one that notes its name and arguments.
{
  globalThis.spied = ''; // a text: an array's elements would be caught as well
  globalThis.spying = false;
  const { apply, construct, defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
  const { setPrototypeOf } = Object;
  const text = String;
  const note = (name, args) => {
    if (!spying) {
      return;
    }
    spying = false;
    let said = text(name);
    for (let i = 0; i < args.length; i++) {
      try {
        said += ' ' + text(args[i]);
      } catch {
        said += ' ?';
      }
    }
    spied += said + '\n';
    spying = true;
  };
  const spy = (name, f) =>
    new Proxy(f, {
      __proto__: null,
      apply(_, receiver, args) {
        note(name, args);
        return apply(f, receiver, args);
      },
      construct(_, args, target) {
        note(name, args);
        return construct(f, args, target);
      },
    });
  const dialogs = new Set([alert, confirm, prompt]);
  const replaceAll = (object) => {
    for (const key of ownKeys(object)) {
      const property = setPrototypeOf(getOwnPropertyDescriptor(object, key), null);
      if (!property.configurable || key === 'constructor' || key === 'spied' || key === 'spying') {
        continue;
      }
      for (const part of ['value', 'get', 'set']) {
        if (typeof property[part] === 'function' && !dialogs.has(property[part])) {
          property[part] = spy(key, property[part]);
        }
      }
      defineProperty(object, key, property);
    }
  };
  const globals = [];
  for (const name of Object.getOwnPropertyNames(window)) {
    const property = setPrototypeOf(getOwnPropertyDescriptor(window, name), null);
    if (typeof property.value === 'function' && !dialogs.has(property.value)) {
      globals.push(property.value);
    }
  }
  const namespaces = [Reflect, JSON, Math, Atomics, console, globalThis.Intl];
  for (const iterator of [[][Symbol.iterator](), ''[Symbol.iterator](), new Map().entries()]) {
    namespaces.push(Object.getPrototypeOf(iterator));
  }
  // What an array, a descriptor, a reply or a handler could inherit.
  for (const name of ['0', '1', 'value', 'get', 'set', 'apply', 'message', 'preset', 'args', 'answer', 'request', 'seen', 'accepted', 'text', 'then', 'toJSON']) {
    for (const object of [Object.prototype, Array.prototype, String.prototype]) {
      if (!Object.hasOwn(object, name)) {
        namespaces.push([object, name]);
      }
    }
  }
  for (const item of namespaces) {
    if (Array.isArray(item)) {
      const [object, name] = item;
      const get = () => {
        note('inherited ' + name, []);
        return undefined;
      };
      const set = () => note('set inherited ' + name, []);
      defineProperty(object, name, { __proto__: null, configurable: true, get, set });
    } else {
      replaceAll(item);
    }
  }
  for (const f of globals) {
    if (f.prototype) {
      replaceAll(f.prototype);
    }
    replaceAll(f);
  }
  replaceAll(window);
}
