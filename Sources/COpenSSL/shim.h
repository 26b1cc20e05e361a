// The SHA256_ functions are called for their speed (ADR 0034); OpenSSL 3 would rather have EVP called.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
