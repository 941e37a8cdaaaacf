//! Addresses of the web, and which of them lead to a private network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::{Host, Url};

/// Whether loopback may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Public hosts alone.
    Public,
    /// Public hosts and this machine.
    Loopback,
}

/// An `http` or `https` address without a fragment and without a user name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address(Url);

impl Address {
    /// Reads an address in full, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        Url::parse(text)
            .map_err(|_| "it cannot be read as an address")
            .and_then(Self::checked)
    }

    /// The address that a `Location` leads to from this one.
    pub fn join(&self, location: &str) -> Result<Self, &'static str> {
        self.0
            .join(location)
            .map_err(|_| "it cannot be read as an address")
            .and_then(Self::checked)
    }

    fn checked(mut url: Url) -> Result<Self, &'static str> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err("it is neither `http` nor `https`");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("it holds a user name");
        }
        url.set_fragment(None);
        Ok(Self(url))
    }

    /// The address as it is asked for.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Host and port: what the pause between two requests is kept for.
    pub fn place(&self) -> String {
        let port = self.0.port_or_known_default().unwrap_or(0);
        format!("{}:{port}", self.0.host_str().unwrap_or(""))
    }

    /// Whether the address may be asked. A public name that turns out to lead to a private
    /// address is for the look-up of names to refuse, by [`is_public`].
    pub fn is_within(&self, reach: Reach) -> bool {
        let ip = match self.0.host() {
            Some(Host::Ipv4(ip)) => IpAddr::V4(ip),
            Some(Host::Ipv6(ip)) => IpAddr::V6(ip),
            Some(Host::Domain(name)) => return is_public_name(name),
            None => return false,
        };
        is_public(ip) || (reach == Reach::Loopback && ip.is_loopback())
    }
}

/// Whether a name can be one that every reader can look up.
fn is_public_name(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    let Some((_, last)) = name.rsplit_once('.') else {
        return false;
    };
    // Names kept for a machine or a home network (RFC 6761, 6762, 8375) and for companies.
    !matches!(last, "local" | "localhost" | "internal" | "lan")
        && name != "home.arpa"
        && !name.ends_with(".home.arpa")
}

/// Whether an address belongs to the public internet, by the registries of special addresses
/// (RFC 6890).
pub fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [first, second, ..] = ip.octets();
    let is_shared = first == 100 && (64..128).contains(&second);
    let is_bench = first == 198 && (18..20).contains(&second);
    !(first == 0
        || first >= 224
        || is_shared
        || is_bench
        || ip.is_loopback()
        || ip.is_private()
        || ip.is_link_local()
        || ip.is_documentation())
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    if let Some(inner) = ip.to_ipv4_mapped() {
        return is_public_v4(inner);
    }
    let [first, second, ..] = ip.segments();
    // Only 2000::/3 is given out; 2001:db8::/32 is for documentation. 64:ff9b::/96 stands for
    // IPv4 addresses on networks that have none of their own.
    let is_translated = first == 0x64 && second == 0xff9b;
    (is_translated || first & 0xe000 == 0x2000) && !(first == 0x2001 && second == 0xdb8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_browsers_do() {
        let base = Address::parse("https://Example.org/a/b?c#d").unwrap();
        assert_eq!(base.as_str(), "https://example.org/a/b?c");
        assert_eq!(base.place(), "example.org:443");
        for (location, whole) in [
            ("x", "https://example.org/a/x"),
            ("../x#y", "https://example.org/x"),
            ("?q", "https://example.org/a/b?q"),
            ("//a.example/", "https://a.example/"),
            ("http://a.example:8080", "http://a.example:8080/"),
        ] {
            assert_eq!(base.join(location).unwrap().as_str(), whole);
        }
        for bad in [
            "ftp://example.org/",
            "https://",
            "https://ada@example.org/",
            "x",
        ] {
            assert!(Address::parse(bad).is_err(), "{bad}");
        }
        assert!(base.join("javascript:alert(1)").is_err());
    }

    #[test]
    fn private_addresses_are_out_of_reach() {
        for private in [
            "http://localhost/",
            "http://a.localhost/",
            "http://printer/",
            "http://nas.local/",
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://10.1.2.3/",
            "http://172.20.0.1/",
            "http://192.168.1.1/",
            "http://169.254.169.254/",
            "http://100.64.0.1/",
            "http://0.0.0.0/",
            "http://[::1]/",
            "http://[::ffff:10.0.0.1]/",
            "http://[fd00::1]/",
            "http://[fe80::1]/",
        ] {
            let address = Address::parse(private).unwrap();
            assert!(!address.is_within(Reach::Public), "{private}");
        }
        for public in [
            "https://example.org/",
            "http://1.1.1.1/",
            "http://[2606:4700::1]/",
        ] {
            let address = Address::parse(public).unwrap();
            assert!(address.is_within(Reach::Public), "{public}");
        }
        let own = Address::parse("http://127.0.0.1:4040/").unwrap();
        assert!(own.is_within(Reach::Loopback));
        let near = Address::parse("http://10.0.0.1/").unwrap();
        assert!(!near.is_within(Reach::Loopback));
    }
}
