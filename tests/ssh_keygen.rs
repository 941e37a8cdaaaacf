//! Signatures go both ways between countersign and the real `ssh-keygen`: what one makes, the
//! other verifies. Needs OpenSSH (Debian: `openssh-client`).

use countersign::gate::signature::{SignatureFault, SigningKey, verify};
use countersign::model::byline::Role;
use countersign::model::key::PublicKey;
use countersign::model::person::{Person, PersonId, PersonKind};
use countersign::model::statement::namespace;
use countersign::source::{FileId, Span, Spanned};
use rsa::signature::Signer as _;
use ssh_key::{Algorithm, HashAlg, LineEnding, Signature, SshSig};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const KEYS: [&str; 5] = ["ada", "ada-rsa", "ada-p256", "ada-p384", "ada-p521"];
const TEXT: &str = "site = \"example.org/course/\"\nentry = \"warp\"\n";

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/keys")
        .join(name);
    fs::read_to_string(path).expect("a key of the tests")
}

fn person(public: &str) -> Person {
    let span = Span::file(FileId::new(0));
    Person {
        id: Spanned::new(PersonId::new("ada").expect("an id"), span),
        name: Spanned::new("Ada Lovelace".to_owned(), span),
        aliases: Vec::new(),
        emails: Vec::new(),
        url: None,
        kind: PersonKind::Human,
        keys: vec![Spanned::new(PublicKey::parse(public).expect("a key"), span)],
    }
}

/// Runs `ssh-keygen` in a folder with a file as its input; whether it says yes.
fn ssh_keygen(folder: &Path, arguments: &[&str], input: Option<&str>) -> bool {
    let input = match input {
        Some(name) => Stdio::from(fs::File::open(folder.join(name)).expect("input")),
        None => Stdio::null(),
    };
    let output = Command::new("ssh-keygen")
        .current_dir(folder)
        .args(arguments)
        .stdin(input)
        .output()
        .expect("`ssh-keygen` must be installed (Debian: openssh-client)");
    output.status.success()
}

fn verified_by_openssh(folder: &Path, space: &str) -> bool {
    let arguments = [
        "-Y", "verify", "-f", "allowed", "-I", "ada", "-n", space, "-s", "text.sig",
    ];
    ssh_keygen(folder, &arguments, Some("text"))
}

#[test]
fn openssh_verifies_what_countersign_signs() {
    let space = namespace(Role::Author, "example.org");
    for name in KEYS {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let key = SigningKey::open(&fixture(name), None).expect("opens");
        fs::write(folder.join("text"), TEXT).expect("writes");
        fs::write(
            folder.join("text.sig"),
            key.sign(TEXT, &space).expect("signs"),
        )
        .expect("writes");
        let allowed = format!("ada {}", fixture(&format!("{name}.pub")));
        fs::write(folder.join("allowed"), allowed).expect("writes");
        assert!(verified_by_openssh(folder, &space), "{name}");
        assert!(
            !verified_by_openssh(folder, "countersign-reviewer@example.org"),
            "{name}"
        );
        fs::write(folder.join("text"), format!("{TEXT}\n")).expect("writes");
        assert!(!verified_by_openssh(folder, &space), "{name}");
    }
}

#[test]
fn countersign_verifies_what_openssh_signs() {
    let space = namespace(Role::Reviewer, "example.org");
    for name in KEYS {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let key = folder.join("key");
        fs::write(&key, fixture(name)).expect("writes");
        owner_only(&key);
        fs::write(folder.join("text"), TEXT).expect("writes");
        let arguments = ["-Y", "sign", "-f", "key", "-n", &space, "text"];
        assert!(ssh_keygen(folder, &arguments, None), "{name}");
        let signature = fs::read_to_string(folder.join("text.sig")).expect("a signature");
        let ada = person(&fixture(&format!("{name}.pub")));
        assert_eq!(verify(TEXT, &signature, &space, &ada), Ok(()), "{name}");
        let changed = verify("other", &signature, &space, &ada);
        assert_eq!(changed, Err(SignatureFault::OtherText), "{name}");
        let grace = person(&fixture("grace.pub"));
        let other = verify(TEXT, &signature, &space, &grace);
        assert!(matches!(other, Err(SignatureFault::OtherKey(_))), "{name}");
    }
}

/// A signature as a security device makes it: the key signs the digests of the application and
/// of the data, with flags (touched) and a counter between them.
fn device_signature(space: &str) -> (String, String) {
    let key = ssh_key::PrivateKey::from_openssh(fixture("ada")).expect("a key");
    let pair = key.key_data().ed25519().expect("an Ed25519 key");
    let public = ssh_key::public::SkEd25519::new(pair.public, "ssh:");
    let data = SshSig::signed_data(space, HashAlg::Sha512, TEXT.as_bytes()).expect("data");
    let trailer = [1, 0, 0, 0, 7];
    let mut message = HashAlg::Sha256.digest(b"ssh:");
    message.extend(trailer);
    message.extend(HashAlg::Sha256.digest(&data));
    let mut bytes = pair.try_sign(&message).expect("signs").as_bytes().to_vec();
    bytes.extend(trailer);
    let signature = Signature::new(Algorithm::SkEd25519, bytes).expect("a signature");
    let public = ssh_key::public::KeyData::from(public);
    let line = ssh_key::PublicKey::from(public.clone())
        .to_openssh()
        .expect("a line");
    let signature = SshSig::new(public, space, HashAlg::Sha512, signature).expect("a signature");
    (line, signature.to_pem(LineEnding::LF).expect("a file"))
}

#[test]
fn both_verify_what_a_security_device_signs() {
    let space = namespace(Role::Author, "example.org");
    let (public, signature) = device_signature(&space);
    assert_eq!(verify(TEXT, &signature, &space, &person(&public)), Ok(()));
    let other = verify("other", &signature, &space, &person(&public));
    assert_eq!(other, Err(SignatureFault::OtherText));
    let plain = verify(TEXT, &signature, &space, &person(&fixture("ada.pub")));
    assert!(matches!(plain, Err(SignatureFault::OtherKey(_))));
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("text"), TEXT).expect("writes");
    fs::write(folder.join("text.sig"), signature).expect("writes");
    fs::write(folder.join("allowed"), format!("ada {public}")).expect("writes");
    assert!(verified_by_openssh(folder, &space));
}

#[cfg(unix)]
fn owner_only(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("sets the mode");
}

#[cfg(not(unix))]
fn owner_only(_: &Path) {}
