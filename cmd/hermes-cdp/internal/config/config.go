package config

// Config is the whole configuration. The zero value is valid: a field that is zero means its default, which
// [Config.WithDefaults] fills in and which [Load] has filled in already.
type Config struct {
	// Browser says which browser to use and how its dialogs are handled.
	Browser Browser `koanf:"browser"`
	// Provider describes the service of `browser.provider: cdp`. `${NAME}` in its addresses, headers and bodies stands for
	// the variable of that name, of the environment or the file `.env`: keys are written in no other way.
	Provider Provider `koanf:"provider" reload:"tasks"`
	// Plugins configures modules by name ([a-z0-9-]+). A name that hermes-cdp ships needs no path.
	Plugins map[string]Plugin `koanf:"plugins" reload:"now"`
	// PluginCacheDir is the directory for natively compiled modules. It is created with mode 0700 and ignored if others
	// can write to it, since what is in it is run. Default: `$XDG_CACHE_HOME/hermes-cdp/wazero`, else
	// `~/.cache/hermes-cdp/wazero`.
	PluginCacheDir string `koanf:"plugin_cache_dir" format:"path"`
	// PluginDownloadDir is the directory for modules that came from an address, each under its digest. Default:
	// `$XDG_CACHE_HOME/hermes-cdp/modules`, else `~/.cache/hermes-cdp/modules`.
	PluginDownloadDir string `koanf:"plugin_download_dir" format:"path"`
	// PluginStateDir is the directory for what the daemon remembers of plugins: the modules that served, each under its
	// digest, and what commands put into service, with its configuration. It is created with mode 0700, and one daemon has
	// it at a time. Default: `$XDG_STATE_HOME/hermes-cdp/plugins`, else `~/.local/state/hermes-cdp/plugins`.
	PluginStateDir string `koanf:"plugin_state_dir" format:"path"`
	// PluginWatch swaps a plugin when its file changes, as soon as the new one has passed every check, and offers agents
	// other tools when the configuration file names other toolsets. `hermes-cdp mcp` then uses other MCP servers, too.
	PluginWatch *bool `koanf:"plugin_watch" reload:"now" default:"true"`
	// PluginTrial tries a module in a child process before it runs in this one: there it is compiled, initialised,
	// self-tested and asked about the recent calls. One that hangs, or takes too much memory, is refused. Shipped modules
	// need no trial.
	PluginTrial *bool `koanf:"plugin_trial" default:"true"`
	// PluginTrialTimeoutS is how long a step of a trial may take: compiling and initialising the module, or one call.
	// On Linux, time in which a busy machine does not let the child run counts only once it is ten times as long.
	PluginTrialTimeoutS float64 `koanf:"plugin_trial_timeout_s" default:"30" unit:"seconds" min:"0.1" max:"3600"`
	// PluginTrialMemoryMB is how much memory the child process of a trial may use, in addition to twice the
	// `limits.memory_mb` of the plugin. Compiling a module of 2 MiB takes about 70.
	PluginTrialMemoryMB int `koanf:"plugin_trial_memory_mb" default:"512" unit:"MiB" min:"64" max:"1048576"`
	// PluginFaults is how many faults of a plugin within `plugin_fault_window_s` make the host go back to the last good
	// module, or to the shipped one. 0: it never does.
	PluginFaults *int `koanf:"plugin_faults" default:"5" min:"0" max:"1000000"`
	// PluginFaultWindowS is the time within which the faults of a plugin are counted.
	PluginFaultWindowS float64 `koanf:"plugin_fault_window_s" default:"60" unit:"seconds" min:"0.001" max:"86400"`
	// NavigateFail is what happens to a navigation on which a plugin failed to decide: `open` allows it, `closed` denies
	// it.
	NavigateFail string `koanf:"navigate_fail" default:"open" oneof:"open,closed"`
	// RequestFail is what happens to a request on which a plugin failed to decide: `open` allows it, `closed` blocks it.
	RequestFail string `koanf:"request_fail" default:"open" oneof:"open,closed"`
	// FileFail is what happens to a download or an upload on which a plugin failed to decide: `open` allows it, `closed`
	// denies it.
	FileFail string `koanf:"file_fail" default:"closed" oneof:"open,closed"`
	// SnapshotFail is what happens to a reading of a page on which a plugin failed to decide: `open` shows it, `closed`
	// withholds it.
	SnapshotFail string `koanf:"snapshot_fail" default:"closed" oneof:"open,closed"`
	// ConsoleFail is what happens to a console message on which a plugin failed to decide: `open` keeps it, `closed` drops
	// it.
	ConsoleFail string `koanf:"console_fail" default:"closed" oneof:"open,closed"`
	// ToolAskTimeoutS is how long a call of a tool waits that a plugin leaves to the operator, before it is denied.
	ToolAskTimeoutS float64 `koanf:"tool_ask_timeout_s" default:"120" unit:"seconds" min:"0.001" max:"86400"`
	// ToolFail is what happens to a call of a tool, or its result, on which a plugin failed to decide: `open` lets it
	// pass, `closed` denies it.
	ToolFail string `koanf:"tool_fail" default:"closed" oneof:"open,closed"`
	// DialogFail is what happens to a dialog on which a plugin failed to decide: `open` leaves it to the answer that an
	// agent armed, else to the agent; `closed` dismisses it at once, and no answer of an agent counts. With `closed` a
	// plugin that decides on dialogs and fails too often does not go back to the shipped module either.
	DialogFail string `koanf:"dialog_fail" default:"open" oneof:"open,closed"`
	// Toolsets are the toolsets that agents get: `browser`, `browser-emulation`, `browser-full`, `browser-inspect`,
	// `browser-mouse`, `browser-network`, `browser-operator`, `browser-read`, `browser-record`, `browser-route`,
	// `browser-safe`, `browser-state`, `browser-trace`, `debugging`, `safe`, `web`, `all`, those of `custom_toolsets`, the
	// names of plugins, and `mcp-` with the name of an MCP server. Empty: `browser`.
	Toolsets []string `koanf:"toolsets" reload:"now"`
	// CustomToolsets are further toolsets by name ([A-Za-z0-9_-]+), each a list of toolsets and tools.
	CustomToolsets map[string][]string `koanf:"custom_toolsets" reload:"now" format:"toolsets"`
	// PlatformToolsets are the toolsets of clients by the name that they give of themselves, such as `hermes-cli`, in
	// place of `toolsets`; each a list of toolsets and tools.
	PlatformToolsets map[string][]string `koanf:"platform_toolsets" reload:"now" format:"toolsets"`
	// DisabledTools are tools that are off whatever toolset has them.
	DisabledTools []string `koanf:"disabled_tools" reload:"now"`
	// MCPServers are servers of the Model Context Protocol by name ([a-z0-9-]+), whose tools agents get as well: those of
	// each are a toolset, `mcp-` and its name.
	MCPServers map[string]MCPServer `koanf:"mcp_servers" reload:"now"`
	// Vision names the model that answers the questions of `browser_vision`.
	Vision Vision `koanf:"vision"`
	// Journal says how the calls of plugins are kept, for replays.
	Journal Journal `koanf:"journal"`
	// Control says where `hermes-cdp run` can be reached.
	Control Control `koanf:"control"`
	// Audit says how what operators do is recorded.
	Audit Audit `koanf:"audit"`
	// Log says what is logged.
	Log Log `koanf:"log"`
	// Otel says where spans of agents' calls go.
	Otel Otel `koanf:"otel"`
}

// Browser says which browser to use and how its dialogs are handled.
type Browser struct {
	// CDPURL is the address of a running browser: `ws://`, `wss://`, `http://`, `https://`, `host:port`, a port of this
	// machine, or `running` for whichever of the user's browsers accepts debugging. It is stronger than
	// `browser.provider` and `browser.executable`. Its user, query and token-like path are secrets and never shown. Empty:
	// a browser is rented or started.
	CDPURL string `koanf:"cdp_url" reload:"tasks" format:"address"`
	// Provider is from whom a browser is rented if `browser.cdp_url` is empty: `browserbase`, `browser-use`,
	// `firecrawl`, `cdp` (the service that `provider` describes), or nobody (`local`). `camofox` is no rented browser,
	// but the server at `CAMOFOX_URL`, with fewer tools. The keys come from the environment, or from the file `.env`
	// beside the configuration. Empty: the first of Browserbase and Browser Use with a key, else Camofox if
	// `CAMOFOX_URL` is set, else `local`.
	Provider string `koanf:"provider" reload:"tasks" oneof:"local,browserbase,browser-use,firecrawl,cdp,camofox"`
	// Camofox is the Camofox server at `CAMOFOX_URL`.
	Camofox Camofox `koanf:"camofox"`
	// ProviderFallback is what happens if no browser can be rented: `local` starts one, and the first result of the task
	// says why; `fail` is an error.
	ProviderFallback string `koanf:"provider_fallback" reload:"tasks" default:"local" oneof:"local,fail"`
	// LeaseDir is the directory with the ids of the rented sessions that run, made with mode 0700: the next start releases
	// those of a process that was killed. Default: `$XDG_STATE_HOME/hermes-cdp/leases`, else
	// `~/.local/state/hermes-cdp/leases`.
	LeaseDir string `koanf:"lease_dir" format:"path"`
	// Executable is the browser to start: a path, or a name looked up in PATH. Empty: the first Chromium or Chrome found.
	Executable string `koanf:"executable" reload:"tasks" format:"executable"`
	// Headless starts the browser without a window.
	Headless *bool `koanf:"headless" reload:"tasks" default:"true"`
	// Width is the width of pages in a started browser, in CSS pixels.
	Width int `koanf:"width" reload:"tasks" default:"1280" unit:"pixels" min:"200" max:"7680"`
	// Height is the height of pages in a started browser, in CSS pixels.
	Height int `koanf:"height" reload:"tasks" default:"800" unit:"pixels" min:"200" max:"4320"`
	// UserAgent is how a started browser names itself to sites. Empty: as the same browser with a window does.
	UserAgent string `koanf:"user_agent" reload:"tasks"`
	// UserDataDir is the profile directory of a started browser. Empty: a new one each time, removed at the end.
	UserDataDir string `koanf:"user_data_dir" reload:"tasks" format:"path"`
	// Profile names the profile of a started browser: a directory in `browser.profile_dir`, which keeps cookies and what
	// pages store. It takes the place of `browser.user_data_dir`.
	Profile string `koanf:"profile" reload:"tasks" format:"profile"`
	// ProfileDir is the directory of the named profiles, made with mode 0700. Default:
	// `$XDG_DATA_HOME/hermes-cdp/profiles`, else `~/.local/share/hermes-cdp/profiles`.
	ProfileDir string `koanf:"profile_dir" reload:"tasks" format:"path"`
	// Isolation is what a task has to itself if its browser is started here: a browser context, with cookies and
	// storage of its own, in a browser that such tasks share (`context`), or a browser (`browser`). A task with a
	// profile always has a browser, as contexts cannot use one.
	Isolation string `koanf:"isolation" reload:"tasks" default:"context" oneof:"context,browser"`
	// Scope is what of a running browser, one at an address, belongs to a task: a new context with cookies of its own
	// (`context`), a new tab beside those of the browser's user and with their cookies (`tab`), or all tabs (`all`).
	// `auto` is `tab` for `running`, and else `context`.
	Scope string `koanf:"scope" reload:"tasks" default:"auto" oneof:"auto,tab,context,all"`
	// ProfileBusy is what happens where another browser uses the profile: the start fails (`fail`), waits for it
	// (`wait`), or gets a copy that is removed at the end (`copy`).
	ProfileBusy string `koanf:"profile_busy" reload:"tasks" default:"fail" oneof:"fail,wait,copy"`
	// ProfileWipe lets agents remove the profile that `browser.profile` names, with all its logins: `browser_close` with
	// `wipe`.
	ProfileWipe bool `koanf:"profile_wipe"`
	// Args are further command-line arguments of a started browser.
	Args []string `koanf:"args" reload:"tasks"`
	// Environment names variables of hermes-cdp's own environment that a started browser gets in addition to those that it
	// needs to run (`PATH`, `HOME`, the language, the display, proxies and the like); a `*` at the end stands for any
	// text.
	Environment []string `koanf:"environment" reload:"tasks" format:"variables"`
	// Sandbox is whether a started browser runs its own sandbox. `auto` turns it off where the browser cannot start with
	// it: as root, and in a container without user namespaces. With `on` no browser starts without it.
	Sandbox string `koanf:"sandbox" reload:"tasks" default:"auto" oneof:"auto,on,off"`
	// Proxy is the proxy through which a started browser reaches everything but this machine: `http://`, `https://`,
	// `socks5://` or `socks5h://`, with a user and a password if it wants them. It resolves the names. The password is
	// never shown, and the browser does not learn it. Empty: the proxy that the environment names (`HTTPS_PROXY`,
	// `HTTP_PROXY`, `NO_PROXY`), or none. Browsers that are not started here, at an address or rented, would not use it,
	// and are refused unless `hermes-cdp connect --no-proxy` accepts that.
	Proxy string `koanf:"proxy" reload:"tasks" format:"proxy"`
	// Network says which addresses pages may reach.
	Network Network `koanf:"network" reload:"tasks"`
	// AllowSchemes are the schemes of addresses that are loaded in addition to `http`, `https`, `about:blank`, `data` and
	// `blob`, such as `file`. All others are refused, and a document with such an address that is opened otherwise is left
	// at once for `about:blank`.
	AllowSchemes []string `koanf:"allow_schemes" format:"schemes"`
	// UploadRoots are the directories from which pages may be given files, and into which raw commands may have files
	// downloaded; symbolic links are resolved first. Files with hermes-cdp's own secrets, the files that it runs,
	// recordings and profiles are never among them. Empty: the working directory unless it is `/`, `browser.download_dir`
	// and `browser.screenshot_dir`.
	UploadRoots []string `koanf:"upload_roots" format:"paths"`
	// DialogPolicy names the policy of the plugins that decide on dialogs. One that none of them knows is refused at the
	// start; the shipped dialog-policy knows `must_respond`, `auto_dismiss` and `auto_accept`. Empty: the plugin's
	// default.
	DialogPolicy string `koanf:"dialog_policy" reload:"tasks"`
	// DialogTimeoutS is how long a dialog may stay open before the watchdog dismisses it; the policy may choose another
	// time per dialog.
	DialogTimeoutS float64 `koanf:"dialog_timeout_s" reload:"tasks" default:"300" unit:"seconds" min:"0.001" max:"604800"`
	// DialogBridge is whether dialogs go through the bridge script instead of the browser's own dialogs. `auto` is on
	// where the backend is known to answer dialogs by itself, and from the moment on when it is seen to; else off.
	DialogBridge string `koanf:"dialog_bridge" reload:"tasks" default:"auto" oneof:"auto,on,off"`
	// EvaluateEnabled lets agents run script of their own in pages. Without it `eval` is refused, and every raw command
	// and address that would run script.
	EvaluateEnabled *bool `koanf:"evaluate_enabled" default:"true"`
	// ScreenshotDir is the directory for the pictures of `browser_vision` and `browser_screenshot`, made with mode 0700.
	// Default: `$XDG_CACHE_HOME/hermes-cdp/screenshots`, else `~/.cache/hermes-cdp/screenshots`.
	ScreenshotDir string `koanf:"screenshot_dir" format:"path"`
	// ScreenshotKeepH is how long pictures are kept there.
	ScreenshotKeepH float64 `koanf:"screenshot_keep_h" default:"24" unit:"hours" min:"0.01" max:"8760"`
	// ScreenshotTotalMB is how much everything there may have together: the oldest is removed for what is new.
	ScreenshotTotalMB int `koanf:"screenshot_total_mb" default:"1024" unit:"MiB" min:"1" max:"16777216"`
	// RecordSessions keeps a video of what each task shows, in `browser.recording_dir`. It shows whatever was on the page,
	// what was typed into it included.
	RecordSessions bool `koanf:"record_sessions" reload:"tasks"`
	// RecordingDir is the directory for recordings and traces, made with mode 0700. Default:
	// `$XDG_CACHE_HOME/hermes-cdp/recordings`, else `~/.cache/hermes-cdp/recordings`.
	RecordingDir string `koanf:"recording_dir" format:"path"`
	// RecordingKeepH is how long a recording or a trace is kept after its end.
	RecordingKeepH float64 `koanf:"recording_keep_h" default:"72" unit:"hours" min:"0.01" max:"8760"`
	// RecordingMaxMB is the size at which the file of a recording ends and another one goes on.
	RecordingMaxMB int `koanf:"recording_max_mb" default:"64" unit:"MiB" min:"1" max:"65536"`
	// RecordingTotalMB is how much all recordings may have together, and likewise all traces: the oldest are removed for
	// new ones.
	RecordingTotalMB int `koanf:"recording_total_mb" default:"1024" unit:"MiB" min:"2" max:"16777216"`
	// DownloadDir is the directory for what tasks download, made with mode 0700; files stay there. Empty: each task has a
	// directory of its own below that for temporary files, which is removed with the task.
	DownloadDir string `koanf:"download_dir" format:"path"`
	// DownloadLimitMB is how much a task may download. What would be more is canceled. 0: any amount.
	DownloadLimitMB *int `koanf:"download_limit_mb" default:"1024" unit:"MiB" min:"0" max:"16777216"`
	// StateDir is the directory of the files of `browser_state`, made with mode 0700; it writes and reads no others.
	// Whoever may load a state has the logins in it, whichever task saved them. Empty: the tool is refused.
	StateDir string `koanf:"state_dir" format:"path"`
	// StateKey encrypts what is saved as a storage state, and must have encrypted what is loaded: 32 random bytes in
	// base64, as `openssl rand -base64 32` prints them. It is never shown. Empty: the files are plain JSON.
	StateKey string `koanf:"state_key" format:"secret"`
	// StorageState is a file of `browser_state`, or of Playwright's storageState, that every task loads before its first
	// page. Empty: none.
	StorageState string `koanf:"storage_state" reload:"tasks" format:"path"`
	// Credentials are for the HTTP authentication of origins, each as `https://${USER}:${PASSWORD}@intranet.example`: the
	// names of variables, of the environment or the file `.env`, and never what they hold. They are sent once, to a server
	// of that origin which asks for them, and to no other, also after a redirect.
	Credentials []string `koanf:"credentials" reload:"tasks" format:"credentials"`
	// Emulation is what the pages of every task find of the device and the user, from their first script on.
	Emulation Emulation `koanf:"emulation" reload:"tasks"`
	// Observe makes the results of tools that act say what changed on the page, with refs, so that it need not be read
	// again. A call can say otherwise with its parameter `observe`.
	Observe bool `koanf:"observe"`
	// ToolTimeoutS bounds a call of a tool that names no time of its own.
	ToolTimeoutS float64 `koanf:"tool_timeout_s" default:"30" unit:"seconds" min:"0.1" max:"600"`
	// ActionWaitS is how long an action waits for a page that it keeps busy. After that the call returns an error with an
	// id for `browser_resume`, and the action goes on. 0: as long as the call may take.
	ActionWaitS *float64 `koanf:"action_wait_s" default:"3" unit:"seconds" min:"0" max:"600"`
	// InactivityS is how long a task that a daemon started for an agent may have no call before it is ended, with a
	// browser that was started for it; a later call starts it again, and says what was lost. Not ended are the task of an
	// MCP session, for as long as that lasts, and those that the operator started. 0: none is.
	InactivityS *float64 `koanf:"inactivity_s" default:"120" unit:"seconds" min:"0" max:"604800"`
	// ConnectTimeoutS is how long starting or reaching the browser may take.
	ConnectTimeoutS float64 `koanf:"connect_timeout_s" default:"30" unit:"seconds" min:"0.001" max:"86400"`
	// ReconnectTimeoutS is how long reconnecting is tried after a lost connection before its tasks end. 0: they end at
	// once.
	ReconnectTimeoutS *float64 `koanf:"reconnect_timeout_s" default:"60" unit:"seconds" min:"0" max:"604800"`
	// PingIntervalS is the time between the pings that find a connection which is dead without having ended. 0: none are
	// sent.
	PingIntervalS *float64 `koanf:"ping_interval_s" default:"15" unit:"seconds" min:"0" max:"86400"`
	// PingTimeoutS is how long a ping may stay unanswered before the connection is given up.
	PingTimeoutS float64 `koanf:"ping_timeout_s" default:"10" unit:"seconds" min:"0.001" max:"86400"`
	// HeartbeatS is how long no command may be sent before a cheap one is, for backends that close a silent connection. 0:
	// none is sent.
	HeartbeatS *float64 `koanf:"heartbeat_s" default:"60" unit:"seconds" min:"0" max:"86400"`
	// ReadLimitMB is the size of the largest message that is read from the browser; a larger one fails only the call it
	// answers.
	ReadLimitMB int `koanf:"read_limit_mb" default:"256" unit:"MiB" min:"1" max:"4096"`
}

// Camofox says how a Camofox server is used.
type Camofox struct {
	// ManagedPersistence makes all tasks one user of the server, who stands for the profile (`browser.profile`) and keeps
	// cookies and logins; nothing is removed when tasks end. Otherwise each task is a user of its own, who is removed.
	ManagedPersistence bool `koanf:"managed_persistence"`
}

// Network says which addresses pages may reach.
type Network struct {
	// Allow is what pages may reach beside the addresses of the public internet, whatever name leads there: `loopback`,
	// `private`, `link-local`, `metadata` (the addresses at which clouds hand out credentials), `special` (multicast,
	// reserved), addresses, prefixes such as `10.1.0.0/16`, and names of hosts (`*.corp.example` for all below a domain);
	// `none` adds nothing, `all` turns the guard off. The rest is refused with the code `network_refused`. Empty:
	// `loopback` for a browser that is started, and no guard for one at an address or a rented one.
	Allow []string `koanf:"allow" format:"networks"`
	// Resolve makes hermes-cdp resolve names before it passes them to a proxy, which then gets the address that was
	// checked. Without it, what a name stands for at the proxy is not checked.
	Resolve bool `koanf:"resolve"`
}

// Emulation is what pages find of the device and the user. `browser_emulate` changes it.
type Emulation struct {
	// Device is a well known device, such as `Pixel 7`: its viewport, touch screen and user agent.
	Device string `koanf:"device"`
	// Width is the width of the viewport. 0: that of the device, or the browser's own.
	Width int `koanf:"width" unit:"pixels" min:"0" max:"10000"`
	// Height is the height of the viewport, likewise.
	Height int `koanf:"height" unit:"pixels" min:"0" max:"10000"`
	// UserAgent is how the browser names itself to the pages of tasks. Empty: as the device does, or as ever.
	UserAgent string `koanf:"user_agent"`
	// Locale is the language of pages and requests, such as `de-DE`. Empty: the browser's own.
	Locale string `koanf:"locale"`
	// Timezone is an IANA name, such as `Europe/Berlin`. Empty: that of the machine.
	Timezone string `koanf:"timezone"`
	// ColorScheme is the one that pages find the user to prefer. Empty: the browser's own.
	ColorScheme string `koanf:"color_scheme" oneof:"light,dark"`
	// Geolocation is where the device is: latitude and longitude in degrees, such as `52.52 13.405`. Pages also need the
	// permission `geolocation`.
	Geolocation string `koanf:"geolocation" format:"geolocation"`
	// Permissions are granted to pages of an origin, each as `https://maps.example geolocation`.
	Permissions []string `koanf:"permissions" format:"permissions"`
	// Network is how fast the network is for pages, and `offline` cuts them off from it.
	Network string `koanf:"network" oneof:"slow 3g,fast 3g,4g,offline"`
	// Headers are sent with each request of pages, to any server, by name. Values are secrets and never shown, unless they
	// are a reference such as `${NAME}`.
	Headers map[string]string `koanf:"headers" format:"headers"`
}

// Provider describes a service that hands out a CDP endpoint for a POST.
type Provider struct {
	// URL takes the POST that rents a browser. Its user, query and token-like path are never shown.
	URL string `koanf:"url" format:"http"`
	// Headers are sent with each request to the service, by name. Values are secrets and never shown, unless they are a
	// reference such as `${NAME}`.
	Headers map[string]string `koanf:"headers" format:"headers"`
	// Body is sent as JSON with that POST.
	Body map[string]any `koanf:"body"`
	// ID is the JSON Pointer (RFC 6901) to the id of the session in the answer.
	ID string `koanf:"id" format:"pointer" default:"/id"`
	// Endpoint is the pointer to where the browser is: an address as in `browser.cdp_url`.
	Endpoint string `koanf:"endpoint" format:"pointer" default:"/cdpUrl"`
	// ExpiresAt is the pointer to when the session ends: an RFC 3339 time, or seconds since 1970. Empty: that is unknown.
	ExpiresAt string `koanf:"expires_at" format:"pointer"`
	// LiveView is the pointer to the address of a page that shows the browser. Empty: there is none.
	LiveView string `koanf:"live_view" format:"pointer"`
	// RenewURL is asked for the same answer (GET) when a connection was lost; `{id}` stands for the id. Empty: the first
	// endpoint is used again.
	RenewURL string `koanf:"renew_url" format:"http"`
	// KeepAliveURL takes a POST before the session ends, and gives the same answer with a later end. Empty: there is none.
	KeepAliveURL string `koanf:"keep_alive_url" format:"http"`
	// ReleaseURL takes the request that ends a session.
	ReleaseURL string `koanf:"release_url" format:"http"`
	// ReleaseMethod is the method of that request.
	ReleaseMethod string `koanf:"release_method" default:"DELETE" oneof:"DELETE,POST,PUT,PATCH"`
	// ReleaseBody is sent as JSON with it. Empty: nothing is.
	ReleaseBody map[string]any `koanf:"release_body"`
}

// Vision names the model that answers the questions of `browser_vision`.
type Vision struct {
	// URL is the base address of an OpenAI-compatible API, such as `https://api.openai.com/v1` or
	// `http://127.0.0.1:11434/v1`; `/chat/completions` is added to it. Its user, query and token-like path are never
	// shown, and redirects to another host are not followed. Empty: whoever gets the picture answers.
	URL string `koanf:"url" format:"http"`
	// Model is the model's name there. It must be given with `vision.url`.
	Model string `koanf:"model"`
	// APIKey is sent as a bearer token, to another machine over `https://` only. It is never shown.
	APIKey string `koanf:"api_key" format:"secret"`
	// APIKeyFile holds the key in place of `vision.api_key`; it is read for each question.
	APIKeyFile string `koanf:"api_key_file" format:"path"`
	// TimeoutS bounds a question with all that is tried for it; what is left of the tool's call bounds it, too.
	TimeoutS float64 `koanf:"timeout_s" default:"30" unit:"seconds" min:"0.1" max:"600"`
	// MaxTokens bounds the answer.
	MaxTokens int `koanf:"max_tokens" default:"1000" unit:"tokens" min:"1" max:"1000000"`
}

// Plugin configures one module.
type Plugin struct {
	// Path is the .wasm file. With neither this nor `url`: the module of that name that hermes-cdp ships.
	Path string `koanf:"path" format:"path"`
	// URL is where the module is downloaded from, once: an `https://` address, with which `sha256` is required, and whose
	// user, query and token-like path are secrets and never shown; or the reference of a module in a registry of OCI
	// artifacts, such as `oci://registry.example/policies/guard:1.2@sha256:...`, as `hermes-cdp plugin push` and `inspect`
	// print it. The digest of the manifest is required there, and holds every module of the plugin as `sha256` does.
	URL string `koanf:"url" format:"https or oci"`
	// SHA256 is the digest that the module must have, in hexadecimal. Empty: any file is taken.
	SHA256 string `koanf:"sha256" format:"sha256"`
	// PublicKey is the minisign key that must have signed the module: the second line of a `.pub` file. Empty: no
	// signature is asked for.
	PublicKey string `koanf:"public_key" format:"minisign"`
	// Sigstore is who must have signed the module with Sigstore, in place of a key.
	Sigstore Sigstore `koanf:"sigstore"`
	// Signature is where the signature is: a path, or an `https://` address. Empty: where the module is, with `.minisig`
	// or `.sigstore.json` added, or one of those that are attached to it in its registry.
	Signature string `koanf:"signature" format:"path or https"`
	// Sources are the files, directories, `https://` addresses, and registries with or without a repository
	// (`oci://registry.example/policies`) that modules of the plugin may come from, with everything below them; redirects
	// lead only there, too. `shipped` stands for the module of that name that ships with hermes-cdp. Empty: anywhere.
	// `sha256`, `public_key`, `sigstore` and `sources` apply to every module that is to serve under the name, whoever
	// supplies it.
	Sources []string `koanf:"sources" format:"places"`
	// Hooks are those that modules of the plugin may serve. Empty: those of the shipped plugin of that name; under any
	// other name a module is refused if this is empty. `hermes-cdp plugin inspect` shows which hooks a module has.
	Hooks []string `koanf:"hooks" oneof:"dialog,dialog-closed,frames,bridge,navigate,request,tool,before-tool,after-tool,console,snapshot,download,upload"`
	// ExtraHooks says what happens to a module with more hooks: `refuse` refuses it, `ignore` lets it serve those that are
	// granted.
	ExtraHooks string `koanf:"extra_hooks" default:"refuse" oneof:"refuse,ignore"`
	// Capabilities are granted to the module: `kv` is a store of its own for each task, `state` reads what the host knows
	// of the task, `page` lets its tools run script in pages. What its manifest asks for beyond these is denied.
	Capabilities []string `koanf:"capabilities" oneof:"kv,state,page"`
	// Keep says what the daemon starts with after a command has put another module or configuration into service: `swap`
	// continues with it until this configuration of the plugin, or its file, changes; `config` returns to what is
	// configured.
	Keep string `koanf:"keep" default:"swap" oneof:"swap,config"`
	// Store says where what the module keeps with the capability `kv` is: in `memory`, which the end of the daemon
	// loses, or on `disk`, in `store.db` of `plugin_state_dir`, where it stays until its task is closed or the key is
	// `memory` again. A daemon that is killed loses at most what was written in its last 100 ms or so.
	Store string `koanf:"store" default:"memory" oneof:"memory,disk"`
	// Priority orders the modules of one hook: the highest is asked first. Among equals those that are not shipped come
	// first, then by name.
	Priority int `koanf:"priority" min:"-1000" max:"1000"`
	// Config is handed to the plugin as it is: any keys, any values. Values under a name such as `token` or `password` are
	// never shown.
	Config map[string]any `koanf:"config"`
	// Limits bounds what the module may use.
	Limits Limits `koanf:"limits"`
}

// Sigstore names who must have signed a module: the identity in the certificate that an instance of Sigstore issued for
// the signature. Nothing is fetched to verify it.
type Sigstore struct {
	// Issuer is the OpenID Connect provider that vouched for the identity, such as
	// `https://token.actions.githubusercontent.com`. Empty: no signature is asked for.
	Issuer string `koanf:"issuer" format:"http"`
	// Identity is the subject alternative name of the certificate: an email address, or an address such as
	// `https://github.com/acme/guard/.github/workflows/release.yml@refs/tags/v1.2`.
	Identity string `koanf:"identity"`
	// IdentityPattern is a regular expression (RE2) that the whole name has to match, in place of
	// `plugins.<name>.sigstore.identity`.
	IdentityPattern string `koanf:"identity_pattern" format:"regexp"`
	// TrustedRoot is the file with the certificates and keys of the instance, `trusted_root.json`. The signature and the
	// certificate have to be in the logs that it names, if it names any.
	TrustedRoot string `koanf:"trusted_root" format:"path"`
}

// Limits bounds what a module may use.
type Limits struct {
	// MemoryMB is the linear memory of one instance.
	MemoryMB int `koanf:"memory_mb" default:"16" unit:"MiB" min:"1" max:"4096"`
	// StackKB is the native stack of an instance, and so the limit of what its calls nest on. Each instance reserves it;
	// the system gives what is used.
	StackKB int `koanf:"stack_kb" default:"1024" unit:"KiB" min:"16" max:"1048576"`
	// ModuleMB is the size of the .wasm file.
	ModuleMB int `koanf:"module_mb" default:"4" unit:"MiB" min:"1" max:"1024"`
	// EventKB is the size of one encoded event; the host cuts what does not fit.
	EventKB int `koanf:"event_kb" default:"256" unit:"KiB" min:"1" max:"1048576"`
	// ResultKB is the size of one encoded verdict; a larger one is a fault of the module.
	ResultKB int `koanf:"result_kb" default:"64" unit:"KiB" min:"1" max:"1048576"`
	// TimeoutMS is how long one call of a hook may take.
	TimeoutMS int `koanf:"timeout_ms" default:"50" unit:"milliseconds" min:"1" max:"600000"`
	// Fuel is how much one call of a hook may compute, in units of about one cheap instruction; less if the module's
	// manifest asks for less. The start of an instance gets 40 times as much.
	Fuel int `koanf:"fuel" default:"500000000" unit:"units" min:"1000" max:"1000000000000"`
	// InitTimeoutMS is how long the start of one instance may take.
	InitTimeoutMS int `koanf:"init_timeout_ms" default:"2000" unit:"milliseconds" min:"1" max:"600000"`
	// Instances is how many instances of the module run at the same time. 0: one for each processor.
	Instances int `koanf:"instances" min:"0" max:"1024"`
	// KVKB is how much the module may keep with the capability `kv` for one task, keys and values together.
	KVKB int `koanf:"kv_kb" default:"64" unit:"KiB" min:"1" max:"1048576"`
	// KVTotalKB is how much the module may keep with the capability `kv` for all tasks. On disk, entries of tasks that
	// ended without being closed make room, those that ended first before others. 0: 64 MiB, or `kv_kb` if that is more.
	KVTotalKB int `koanf:"kv_total_kb" unit:"KiB" min:"0" max:"16777216"`
	// KVTotalKeys is how many keys the module may keep for all tasks; for one they are 1,024. 0: 65,536.
	KVTotalKeys int `koanf:"kv_total_keys" min:"0" max:"16777216"`
	// LogLinesPerS is how many lines the module may log; more are counted and dropped.
	LogLinesPerS int `koanf:"log_lines_per_s" default:"100" unit:"lines per second" min:"1" max:"1000000"`
}

// MCPServer configures a server of the Model Context Protocol: a program that is started (`command`), or an address
// (`url`).
type MCPServer struct {
	// Command is the program to start, which speaks MCP on its standard input and output: a path, or a name looked up in
	// PATH.
	Command string `koanf:"command" format:"executable"`
	// Args are its arguments. Other users of the machine can see them: a secret belongs into `env`.
	Args []string `koanf:"args"`
	// Env are environment variables for it by name. Beside them it gets what every program needs (`PATH`, `HOME`, the
	// language, proxies and the like), and nothing else of hermes-cdp's environment. `${NAME}` in a value stands for the
	// variable of that name, of the environment or the file `.env`; `$${` is a plain `${`. Values are secrets and never
	// shown, unless they are such a reference.
	Env map[string]string `koanf:"env" format:"env"`
	// CWD is the directory that it is started in. Empty: that of hermes-cdp.
	CWD string `koanf:"cwd" format:"path"`
	// URL is the `http://` or `https://` address of a server that runs, which speaks streamable HTTP. Its user, query and
	// token-like path are secrets and never shown.
	URL string `koanf:"url" format:"http"`
	// Headers are sent with each request to it, by name, and to no other host. Values are as in `env`.
	Headers map[string]string `koanf:"headers" format:"headers"`
	// Include are names of the server's tools that are offered, or patterns with `*`, `?` and `[a-z]`. Empty: all.
	Include []string `koanf:"include" format:"globs"`
	// Exclude are names or patterns of tools that are not offered, though `include` has them.
	Exclude []string `koanf:"exclude" format:"globs"`
	// TimeoutS bounds a call of its tools. 0: `browser.tool_timeout_s`.
	TimeoutS float64 `koanf:"timeout_s" unit:"seconds" min:"0" max:"3600"`
	// Enabled uses the server. Without it the toolset of the server is there, and empty.
	Enabled *bool `koanf:"enabled" default:"true"`
}

// Journal says how the calls of plugins are kept, for replays.
type Journal struct {
	// Entries is how many calls are kept in memory; a candidate is tried on them before it serves. 0: none.
	Entries *int `koanf:"entries" default:"1000" min:"0" max:"10000000"`
	// MemoryMB is how much memory they may take; the oldest are forgotten first.
	MemoryMB int `koanf:"memory_mb" default:"16" unit:"MiB" min:"1" max:"65536"`
	// Dir is a directory for journal files, made with mode 0700. They hold what pages and tasks gave to plugins. Empty:
	// there are no files.
	Dir string `koanf:"dir" format:"path"`
	// FileMB is the size at which a new file is begun.
	FileMB int `koanf:"file_mb" default:"16" unit:"MiB" min:"1" max:"65536"`
	// DirMB is how much all files together may take; the oldest are removed.
	DirMB int `koanf:"dir_mb" default:"256" unit:"MiB" min:"1" max:"1048576"`
}

// Control says where `hermes-cdp run` can be reached, and where the other commands look for it.
type Control struct {
	// Socket is the operator's unix socket, which gives access to everything; only its owner can use it. Default:
	// `$XDG_RUNTIME_DIR/hermes-cdp/control.sock`, else in a directory of this user's in the directory for temporary files.
	Socket string `koanf:"socket" format:"path"`
	// AgentsSocket is the unix socket for agents: MCP and `/v1/agent/`, each request with a token of `hermes-cdp token
	// new`. Default: beside `control.socket`, `control-agents.sock` for `control.sock`.
	AgentsSocket string `koanf:"agents_socket" format:"path"`
	// AgentsAccess says who can open the agents' socket: its owner, its group or everybody. Its directory must let them
	// in, too.
	AgentsAccess string `koanf:"agents_access" default:"owner" oneof:"owner,group,everybody"`
	// AgentTokens is the file that stores what agents' tokens are bound to, and their hashes; the first `hermes-cdp token
	// new` creates it with mode 0600. Default: `$XDG_STATE_HOME/hermes-cdp/agent-tokens.json`, else
	// `~/.local/state/hermes-cdp/agent-tokens.json`.
	AgentTokens string `koanf:"agent_tokens" format:"path"`
	// Address is a loopback address such as `127.0.0.1:9333` on which the same is served over HTTP, in addition to the
	// sockets: everything for the operator's token, and for agents' tokens what they are bound to. The other commands then
	// use it instead of the socket. Empty: only the sockets.
	Address string `koanf:"address" format:"loopback"`
	// TokenFile holds the operator's bearer token for HTTP. If it does not exist, it is created, readable only by its
	// owner. Default: `$XDG_CONFIG_HOME/hermes-cdp/control.token`, else `~/.config/hermes-cdp/control.token`.
	TokenFile string `koanf:"token_file" format:"path"`
	// MetricsAddress is where `/metrics` alone is served, without a token: a host and a port, such as `127.0.0.1:9464`.
	// Without a host, as in `:9464`, only this machine can reach it. Empty: it is served with the rest, for the operator.
	MetricsAddress string `koanf:"metrics_address" format:"metrics"`
	// UIAddress is where the live page is served, for browsers with a link of `hermes-cdp ui`: a host and a port, or
	// `off`. Port 0 is any free one. Beyond loopback, put a proxy with TLS before it.
	UIAddress string `koanf:"ui_address" default:"127.0.0.1:0" format:"listen"`
}

// Audit says how what operators do is recorded: who, what, when, and what came of it.
type Audit struct {
	// Enabled records what operators do.
	Enabled *bool `koanf:"enabled" default:"true"`
	// Dir is the directory of the records, made with mode 0700. Default: `$XDG_STATE_HOME/hermes-cdp/audit`, else
	// `~/.local/state/hermes-cdp/audit`.
	Dir string `koanf:"dir" format:"path"`
	// FileMB is the size at which a new file is begun.
	FileMB int `koanf:"file_mb" default:"8" unit:"MiB" min:"1" max:"65536"`
	// DirMB is how much all files together may take; the oldest are removed.
	DirMB int `koanf:"dir_mb" default:"128" unit:"MiB" min:"2" max:"1048576"`
}

// Log says what is logged.
type Log struct {
	// Level is the least important level that is logged.
	Level string `koanf:"level" reload:"now" default:"info" oneof:"debug,info,warn,error"`
	// Levels are the levels of packages that are to have another one, such as `engine=debug`: a package of hermes-cdp, or
	// the end of its name, with those below it.
	Levels []string `koanf:"levels" reload:"now" format:"levels"`
	// Format is how a line is written.
	Format string `koanf:"format" default:"text" oneof:"text,json"`
}

// Otel says where spans of agents' calls go, in the protocol of OpenTelemetry.
type Otel struct {
	// Endpoint is the `http://` or `https://` address of a receiver of OTLP over HTTP, such as `http://127.0.0.1:4318`;
	// without a path, `/v1/traces`. Headers with keys come from `OTEL_EXPORTER_OTLP_HEADERS`. Empty: there are no spans.
	Endpoint string `koanf:"endpoint" format:"http"`
	// Sample is the share of calls that are recorded, from 0.001 to 1, unless the caller's own trace decides.
	Sample float64 `koanf:"sample" default:"1" min:"0.001" max:"1"`
}

// On tells whether something is on that can be switched off.
func On(given *bool) bool { return given == nil || *given }
