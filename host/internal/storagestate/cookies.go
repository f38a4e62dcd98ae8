package storagestate

import (
	"slices"
	"strings"
	"time"
)

// BrowserCookie is a cookie as the Storage domain reports and takes it.
//
// https://chromedevtools.github.io/devtools-protocol/tot/Network/#type-Cookie
type BrowserCookie struct {
	Name         string     `json:"name"`
	Value        string     `json:"value"`
	URL          string     `json:"url,omitempty"`
	Domain       string     `json:"domain,omitempty"`
	Path         string     `json:"path,omitempty"`
	Expires      *float64   `json:"expires,omitempty"`
	HTTPOnly     bool       `json:"httpOnly"`
	Secure       bool       `json:"secure"`
	SameSite     string     `json:"sameSite,omitempty"`
	PartitionKey *Partition `json:"partitionKey,omitempty"`
	// PartitionKeyOpaque says that it belongs to a document that no other can be like.
	PartitionKeyOpaque bool `json:"partitionKeyOpaque,omitempty"`
}

// Partition is the site of a partitioned cookie.
type Partition struct {
	TopLevelSite         string `json:"topLevelSite"`
	HasCrossSiteAncestor bool   `json:"hasCrossSiteAncestor"`
}

// FromBrowser returns the cookies of a state.
func FromBrowser(list []BrowserCookie) []Cookie {
	cookies := []Cookie{}
	for _, b := range list {
		if b.PartitionKeyOpaque {
			continue
		}
		c := Cookie{Name: b.Name, Value: b.Value, Domain: b.Domain, Path: b.Path, Expires: -1, HTTPOnly: b.HTTPOnly, Secure: b.Secure, SameSite: b.SameSite}
		if b.Expires != nil {
			c.Expires = *b.Expires
		}
		if c.SameSite == "" {
			c.SameSite = "Lax" // as browsers take it
		}
		if b.PartitionKey != nil {
			c.PartitionKey, c.CrossSiteAncestor = b.PartitionKey.TopLevelSite, &b.PartitionKey.HasCrossSiteAncestor
		}
		cookies = append(cookies, c)
	}
	return cookies
}

// ToBrowser returns what sets the cookies that have not expired.
func ToBrowser(cookies []Cookie, now time.Time) []BrowserCookie {
	list := []BrowserCookie{}
	for _, c := range cookies {
		if c.Expired(now) {
			continue
		}
		b := BrowserCookie{Name: c.Name, Value: c.Value, URL: c.URL, Domain: c.Domain, Path: c.Path, HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: c.SameSite}
		if c.Expires >= 0 {
			b.Expires = &c.Expires
		}
		if c.PartitionKey != "" {
			b.PartitionKey = &Partition{TopLevelSite: c.PartitionKey, HasCrossSiteAncestor: c.CrossSiteAncestor == nil || *c.CrossSiteAncestor}
		}
		list = append(list, b)
	}
	return list
}

// Missing lists the domains of cookies that the browser has not taken, each once.
func Missing(wanted, present []BrowserCookie) []string {
	var domains []string
	for _, w := range wanted {
		is := func(p BrowserCookie) bool {
			return p.Name == w.Name && p.Value == w.Value && (w.Domain == "" || p.Domain == w.Domain) && (w.Path == "" || p.Path == w.Path)
		}
		if domain := w.Domain + w.URL; !slices.ContainsFunc(present, is) && !slices.Contains(domains, domain) {
			domains = append(domains, domain)
		}
	}
	return domains
}

// Of keeps the cookies that are sent to one of some hosts.
func Of(cookies []Cookie, hosts []string) []Cookie {
	return slices.DeleteFunc(cookies, func(c Cookie) bool {
		return !slices.ContainsFunc(hosts, func(host string) bool {
			return host == c.Domain || strings.HasPrefix(c.Domain, ".") && strings.HasSuffix("."+host, c.Domain)
		})
	})
}
