package rawcdp

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/act"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// wholeBrowser lists the domains whose commands act on the whole browser, or reveal something about it, whichever
// session they are sent on.
var wholeBrowser = map[string]bool{"Tethering": true, "SystemInfo": true, "Tracing": true, "Memory": true, "Extensions": true, "PWA": true}

// refusedCommands lists single commands that are refused, with the reason.
var refusedCommands = map[string]string{
	"Target.setAutoAttach":           "the host attaches to every target by itself; name the target in the call",
	"Target.autoAttachRelated":       "the host attaches to every target by itself; name the target in the call",
	"Target.attachToTarget":          "the host keeps a session for each target; name the target in the call",
	"Target.detachFromTarget":        "the host keeps a session for each target; disable the domains instead",
	"Target.sendMessageToTarget":     "the host keeps a session for each target; name the target in the call",
	"Fetch.enable":                   "requests would stay paused, as no events are passed on; use browser_route (Task.Route) to block, answer or change requests",
	"Network.setRequestInterception": "requests would stay paused, as no events are passed on; use browser_route (Task.Route) to block, answer or change requests",
	"Page.waitForDebugger":           "it would stop every script of the page, including those of the host",
}

// check refuses commands that may not be sent, judging by the command and its parameters. Whether the targets that it
// names belong to the task is checked later.
func check(t *act.Pages, c Call, p params) error {
	domain, _, _ := strings.Cut(c.Method, ".")
	refuse := func(reason string) error { return &fault.RefusedError{Method: c.Method, Reason: reason} }
	if t.Rules.EvaluateDisabled {
		if err := withoutScript(c.Method, p); err != nil {
			return err
		}
	}
	reason, refused := refusedCommands[c.Method]
	switch {
	case refused:
		return refuse(reason)
	case wholeBrowser[domain]:
		return refuse("it acts on the whole browser, which others may share")
	case domain == "Target" || domain == "Browser":
		if handlers[c.Method] == nil {
			return refuse("it does not act only on what belongs to the task")
		}
	}
	if id := p.text("browserContextId"); id != "" && id != string(t.Context()) {
		return refuse("the browser context is not the task's own")
	}
	if url := p.text("url"); loadsURL[c.Method] && url != "" {
		if err := t.Rules.Schemes.Check(url); err != nil {
			return refuse(err.Error())
		}
	}
	return nil
}

// loadsURL lists the commands that load the URL in their parameter url, or redirect a request to it.
var loadsURL = map[string]bool{
	"Page.navigate": true, "Target.createTarget": true, "Network.loadNetworkResource": true, "Fetch.continueRequest": true,
}

// safeDomains have no command that runs script of the agent, or that puts it where a page will run it. This is a list
// of what is allowed, as each new command of the protocol may be a new way to run script.
var safeDomains = map[string]bool{
	"Accessibility": true, "Animation": true, "Audits": true, "CSS": true, "CacheStorage": true, "DOMSnapshot": true,
	"DOMStorage": true, "DeviceOrientation": true, "Emulation": true, "IO": true, "IndexedDB": true, "Input": true,
	"Inspector": true, "LayerTree": true, "Log": true, "Media": true, "Overlay": true, "Performance": true,
	"PerformanceTimeline": true, "Security": true, "Storage": true, "Target": true, "Browser": true, "WebAudio": true,
	"WebAuthn": true,
}

// safeCommands are commands of the other domains that do neither. Left out, for these reasons: Runtime.evaluate,
// callFunctionOn, compileScript, runScript, awaitPromise, queryObjects and addBinding run script;
// Page.addScriptToEvaluateOnNewDocument, addScriptToEvaluateOnLoad, setDocumentContent and createIsolatedWorld prepare
// it; DOM.setOuterHTML, setAttributeValue, setAttributesAsText, setNodeValue, setNodeName, undo and redo write markup,
// which may contain handlers; Fetch and the interception of Network can replace the body of a response; all of
// Debugger, Profiler and HeapProfiler give access to call frames and objects; ServiceWorker and BackgroundService start
// workers.
var safeCommands = set(
	"Page.enable Page.disable Page.navigate Page.reload Page.stopLoading Page.close Page.crash Page.bringToFront "+
		"Page.captureScreenshot Page.captureSnapshot Page.printToPDF Page.getFrameTree Page.getResourceTree Page.getResourceContent "+
		"Page.searchInResource Page.getLayoutMetrics Page.getNavigationHistory Page.navigateToHistoryEntry Page.resetNavigationHistory "+
		"Page.getAppManifest Page.getAppId Page.getInstallabilityErrors Page.getOriginTrials Page.getPermissionsPolicyState "+
		"Page.handleJavaScriptDialog Page.setLifecycleEventsEnabled Page.setWebLifecycleState Page.startScreencast Page.stopScreencast "+
		"Page.screencastFrameAck Page.setFontFamilies Page.setFontSizes Page.setInterceptFileChooserDialog Page.setPrerenderingAllowed",
	"DOM.enable DOM.disable DOM.getDocument DOM.getFlattenedDocument DOM.describeNode DOM.querySelector DOM.querySelectorAll "+
		"DOM.getAttributes DOM.getBoxModel DOM.getContentQuads DOM.getOuterHTML DOM.getNodeForLocation DOM.getFrameOwner "+
		"DOM.getRelayoutBoundary DOM.getSearchResults DOM.performSearch DOM.discardSearchResults DOM.requestChildNodes DOM.requestNode "+
		"DOM.resolveNode DOM.pushNodesByBackendIdsToFrontend DOM.pushNodeByPathToFrontend DOM.focus DOM.scrollIntoViewIfNeeded "+
		"DOM.setFileInputFiles DOM.getFileInfo DOM.getTopLayerElements DOM.getContainerForNode DOM.getElementByRelation "+
		"DOM.setNodeStackTracesEnabled DOM.getNodeStackTraces DOM.getNodesForSubtreeByStyle",
	"DOMDebugger.getEventListeners",
	"Runtime.enable Runtime.disable Runtime.getIsolateId Runtime.getHeapUsage Runtime.getProperties Runtime.terminateExecution "+
		"Runtime.releaseObject Runtime.releaseObjectGroup Runtime.discardConsoleEntries Runtime.globalLexicalScopeNames "+
		"Runtime.runIfWaitingForDebugger Runtime.setMaxCallStackSizeToCapture",
	"Network.enable Network.disable Network.getCookies Network.getAllCookies Network.setCookie Network.setCookies "+
		"Network.deleteCookies Network.clearBrowserCookies Network.clearBrowserCache Network.getResponseBody Network.getRequestPostData "+
		"Network.searchInResponseBody Network.getCertificate Network.setCacheDisabled Network.setBypassServiceWorker "+
		"Network.setExtraHTTPHeaders Network.setUserAgentOverride Network.setAcceptedEncodings Network.clearAcceptedEncodingsOverride "+
		"Network.emulateNetworkConditions Network.setBlockedURLs Network.getSecurityIsolationStatus Network.replayXHR "+
		"Network.loadNetworkResource Network.enableReportingApi Network.setAttachDebugStack",
)

func set(lists ...string) map[string]bool {
	all := map[string]bool{}
	for _, list := range lists {
		for _, name := range strings.Fields(list) {
			all[name] = true
		}
	}
	return all
}

// withoutScript refuses every command that could run script of the agent.
func withoutScript(method string, p params) error {
	domain, _, _ := strings.Cut(method, ".")
	_, reloadsWith := p["scriptToEvaluateOnLoad"]
	switch {
	case !safeDomains[domain] && !safeCommands[method], reloadsWith, loadsURL[method] && !scheme.Plain(p.text("url")):
		return &fault.RefusedError{Method: method, Reason: "it can run script", Code: fault.ErrEvaluateDisabled}
	}
	return nil
}
