// Tells the demo what a dialog returned to the page.
function report(step, value) {
  const text = value === undefined ? "undefined" : JSON.stringify(value);
  navigator.sendBeacon("/report?step=" + encodeURIComponent(step), text);
}
