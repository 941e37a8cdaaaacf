//! Both directions against `ssh-keygen`, and signatures that must not hold.
