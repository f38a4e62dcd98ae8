// Answers a prompt with what a function of the embedder says to its message.
#include "hermes.h"

HERMES_EMBEDDER("lookup_v1") int32_t lookup_v1(const void *request, uint32_t request_len, void *buf, uint32_t limit);

static void read_settings(hermes_config *c) { (void)c; }

static int32_t decide(const hermes_dialog_event *e, hermes_dialog_verdict *v) {
  hermes_bytes answer;
  int32_t code = HERMES_ASK(lookup_v1, e->message, &answer);
  if (code == HERMES_FAILED) return hermes_fail(answer);
  if (code < 0) return HERMES_ABSTAIN;
  v->action = HERMES_DIALOG_ACTION_ACCEPT;
  v->rule = answer;
  return HERMES_DECIDED;
}

HERMES_INIT(read_settings)
HERMES_ON_DIALOG(decide)
