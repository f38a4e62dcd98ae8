// Takes dialogs from the page by requests alone: it posts words that a form would send, to a host of its own, and reads a
// reply of one line for each part. It trusts the page's functions, as the shipped script does not.
(function (token) {
  'use strict';
  let asked = 0;
  function ask(kind, message, preset) {
    asked += 1;
    const request = new XMLHttpRequest();
    request.open('POST', `http://contrary-dialogs.invalid/${kind}`, false);
    const words = new URLSearchParams({ token, message, preset, number: asked });
    request.send(words.toString());
    return request.responseText.split('\n');
  }
  window.alert = (message = '') => void ask('alert', `${message}`, '');
  window.confirm = (message = '') => ask('confirm', `${message}`, '')[0] === 'yes';
  window.prompt = (message = '', preset = '') => {
    const [answer, text] = ask('prompt', `${message}`, `${preset}`);
    return answer === 'yes' ? (text === undefined ? `${preset}` : decodeURIComponent(text)) : null;
  };
})
