"""The certificates of yeas:// (YEA 2.3): the deployment's own, or one made up at start.

YEA says nothing of versions and certificates. A made-up certificate is good for the host that is served and
for this machine's own names; who is to check it needs the certificate of its authority, which is written to a file.
"""

import ssl
from pathlib import Path

LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


class CertificateError(OSError):
    """A certificate or key that cannot be used. Its text is one sentence for a person."""


def own_context(cert: Path, key: Path) -> ssl.SSLContext:
    """The server side of TLS with this certificate chain and private key, both PEM. Raises CertificateError."""
    context = _server_context()
    try:
        context.load_cert_chain(cert, key)
    except (OSError, ssl.SSLError) as error:
        reason = getattr(error, "reason", None) or error.strerror or "they do not fit"
        raise CertificateError(error.errno, f"cannot use the certificate {cert} with the key {key}: {reason}") from None
    return context


def throwaway_context(host: str, ca: Path) -> ssl.SSLContext:
    """The server side of TLS with a certificate for this host that nobody knows yet.

    ca: where the certificate of its authority is written, PEM, for clients to trust.
    """
    import trustme  # here, because it takes a tenth of a second that few services need

    authority = trustme.CA()
    names = [host, *(name for name in LOCAL_NAMES if name != host)]
    context = _server_context()
    authority.issue_cert(*names).configure_cert(context)
    authority.cert_pem.write_to_path(str(ca))
    return context


def _server_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context
