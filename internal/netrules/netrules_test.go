package netrules

import (
	"net/netip"
	"testing"
)

func TestAnAddressIsOfTheClassThatItsPacketsReach(t *testing.T) {
	for address, want := range map[string]string{
		"8.8.8.8": publicWord, "1.1.1.1": publicWord, "2606:4700::1111": publicWord, "64:ff9b::808:808": publicWord, "::ffff:8.8.8.8": publicWord,
		"2002:808:808::1": publicWord,
		"127.0.0.1":       Loopback, "127.9.9.9": Loopback, "0.0.0.0": Loopback, "::": Loopback, "::1": Loopback,
		"::ffff:127.0.0.1": Loopback, "::ffff:0:0": Loopback, "64:ff9b::7f00:1": Loopback, "2002:7f00:1::": Loopback, "::7f00:1": Loopback,
		"10.1.2.3": Private, "172.16.0.1": Private, "172.31.255.255": Private, "192.168.1.1": Private, "100.64.0.1": Private, "fd12::1": Private,
		"198.18.0.1": Private, "::ffff:10.0.0.1": Private, "64:ff9b::a00:1": Private, "2002:c0a8:1::": Private, "fec0::1": Private,
		"172.32.0.1": publicWord, "100.128.0.1": publicWord,
		"169.254.1.1": LinkLocal, "fe80::1": LinkLocal, "fe80::1%eth0": LinkLocal,
		"169.254.169.254": Metadata, "::ffff:169.254.169.254": Metadata, "64:ff9b::a9fe:a9fe": Metadata, "fd00:ec2::254": Metadata,
		"100.100.100.200": Metadata, "168.63.129.16": Metadata, "192.0.0.192": Metadata, "169.254.170.2": Metadata,
		"0.1.2.3": Special, "224.0.0.1": Special, "255.255.255.255": Special, "192.0.2.1": Special, "ff02::1": Special, "2001::1": Special,
		"64:ff9b:1::a00:1": Special, "2001:db8::1": Special, "100::1": Special, "5f00::1": Special, "4000::1": Special,
	} {
		if got := Class(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
}

func TestOnlyWhatIsAllowedIsReached(t *testing.T) {
	for _, test := range []struct {
		allow, host, refused string
	}{
		{Loopback, "localhost", ""}, {Loopback, "LOCALHOST.", ""}, {Loopback, "a.localhost", ""}, {Loopback, "[::1]", ""}, {Loopback, "127.1.2.3", ""},
		{None, "localhost", Loopback}, {None, "localhost.", Loopback}, {None, "[::ffff:127.0.0.1]", Loopback},
		{None, "notlocalhost", ""}, {None, "localhost.example", ""}, // their addresses are looked at
		{Loopback, "10.0.0.1", Private}, {"10.0.0.0/24", "10.0.0.1", ""}, {"10.0.0.0/24", "10.0.1.1", Private}, {"10.0.0.1", "10.0.0.1.", ""},
		{"10.0.0.0/24", "::ffff:10.0.0.1", ""}, {"fd00::/8", "fd00:ec2::254", ""},
		{Private, "169.254.169.254", Metadata}, {LinkLocal, "169.254.169.254", Metadata}, {Metadata, "169.254.169.254", ""},
		{None, "metadata.google.internal.", Metadata}, {Metadata, "metadata.google.internal", ""}, {All, "metadata.google.internal", ""},
		{None, "2130706433", Special}, {None, "0x7f.1", Special}, {None, "0177.0.0.1", Special}, {Private, "300.1.1.1", Special}, {All, "0x7f.1", ""},
		{"intranet.example", "Intranet.Example.", ""}, {"*.corp.example", "a.corp.example", ""}, {None, "example.com", ""},
	} {
		p, err := Parse([]string{test.allow})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Host(test.host); got != test.refused {
			t.Errorf("with %s, %s: refused as %q, want %q", test.allow, test.host, got, test.refused)
		}
	}
}

func TestANameIsAllowedWithWhatIsBelowItOnlyWhereTheOperatorSaysSo(t *testing.T) {
	p, err := Parse([]string{"intranet.example", "*.corp.example"})
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]bool{
		"intranet.example": true, "intranet.example.": true, "x.intranet.example": false, "a.b.corp.example": true,
		"corp.example": false, "evilcorp.example": false,
	} {
		if p.Name(host) != want {
			t.Errorf("%s: want %t", host, want)
		}
	}
}

func TestAWordThatSaysNothingIsRefused(t *testing.T) {
	for _, word := range []string{"", "*", "*.*", "localnet/8", "10.0.0.0/33", "http://x", "a b", "0x7f.1", "a:80", "10.0.0.1:80"} {
		if _, err := Parse([]string{word}); err == nil {
			t.Errorf("%q was accepted", word)
		}
	}
}

func TestTheHostOfAURL(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.example": "a.example", "https://A.example.:8080/x@y": "a.example", "http://u:p@a.example?@b": "a.example", "http://a.example#@b": "a.example",
		"http://[::1]:80/": "::1", "http://u@[fe80::1]/": "fe80::1", `http://a.example\@b.example/`: "a.example", "http://a.example/%zz": "a.example",
		"about:blank": "", "http:///x": "",
	} {
		if got := HostOf(url); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

func FuzzNoFormOfAHostIsAnother(f *testing.F) {
	f.Add("127.0.0.1")
	f.Add("[::ffff:7f00:1].")
	f.Fuzz(func(t *testing.T, host string) {
		refused := Policy{}.Host(host)
		if address, err := netip.ParseAddr(normal(host)); err == nil && (refused == "") != (Class(address) == publicWord) {
			t.Errorf("%q: refused as %q, but it is %s", host, refused, Class(address))
		}
	})
}
