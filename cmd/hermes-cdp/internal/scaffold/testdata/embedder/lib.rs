//! Answers a prompt with what a function of the embedder says to its message.

mod hermes;

use hermes::{Config, Decision, DialogAction, DialogEvent, DialogVerdict};

#[link(wasm_import_module = "embedder")]
extern "C" {
    fn lookup_v1(request: *const u8, request_len: u32, buf: *mut u8, limit: u32) -> i32;
}

static CURRENT: hermes::Settings<()> = hermes::Settings::new();

fn read_settings(_: &mut Config) {}

fn decide(e: &DialogEvent) -> Decision<DialogVerdict> {
    match hermes::ask_embedder(lookup_v1, e.message.as_bytes()) {
        Ok(answer) => Decision::Verdict(DialogVerdict {
            action: DialogAction::Accept,
            rule: String::from_utf8_lossy(&answer).into_owned(),
            ..Default::default()
        }),
        Err(why) if why.code == -7 => Decision::Fail(String::from_utf8_lossy(&why.reason).into_owned()),
        Err(_) => Decision::Abstain,
    }
}

#[no_mangle]
pub extern "C" fn hermes_init() -> i32 {
    hermes::init(&CURRENT, read_settings)
}

#[no_mangle]
pub extern "C" fn hermes_on_dialog(len: i32) -> i32 {
    hermes::serve(len, decide)
}
