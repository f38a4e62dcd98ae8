// Answers a prompt with what a function of the embedder says to its message.
import { answered, Config, DialogAction, DialogEvent, DialogVerdict, fail, init, serve } from "./hermes";

export { hermes_abi_v1 } from "./hermes";

// @ts-ignore: decorator
@external("embedder", "lookup_v1")
declare function lookup(request: usize, requestLen: u32, buf: usize, limit: u32): i32;

function decide(e: DialogEvent): DialogVerdict | null {
  const request = String.UTF8.encode(e.message);
  const answer = answered(lookup(changetype<usize>(request), request.byteLength, 0, 0));
  if (answer.code == -7) return fail<DialogVerdict>(answer.text);
  if (answer.code < 0) return null;
  const v = new DialogVerdict();
  v.action = DialogAction.ACCEPT;
  v.rule = answer.text;
  return v;
}

export function hermes_init(): i32 {
  return init((c: Config): void => {});
}

export function hermes_on_dialog(len: i32): i32 {
  return serve<DialogEvent, DialogVerdict>(len, decide);
}
