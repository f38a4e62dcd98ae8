// Answers a prompt with what a function of the embedder says to its message.
const hermes = @import("hermes.zig");

extern "embedder" fn lookup_v1(request: [*]const u8, request_len: u32, buf: ?[*]u8, limit: u32) i32;

fn readSettings(_: *hermes.Config) void {}

fn decide(e: *const hermes.DialogEvent) hermes.Decision(hermes.DialogVerdict) {
    const answer = hermes.askEmbedder(lookup_v1, e.message);
    if (answer.code == -7) return .{ .fail = answer.bytes };
    if (answer.code < 0) return .abstain;
    return .{ .verdict = .{ .action = .accept, .rule = answer.bytes } };
}

export fn hermes_init() i32 {
    return hermes.init(readSettings);
}

export fn hermes_on_dialog(len: i32) i32 {
    return hermes.serve(hermes.DialogEvent, hermes.DialogVerdict, len, decide);
}
