/** Distinguishes segmented tokens from words joined by hyphens. */
export function hasDigit(value: string): boolean {
  return /[0-9]/.test(value)
}

/** A word in a name, with at most a short number: `sk`, `gridWrapper`, `col2`, `12`. */
const NAME_PART = /^(?:[A-Z]?[a-z]*(?:[A-Z][a-z]{2,})*)[0-9]{0,4}$/

/** A short part of a name: `UI`, `HTML`, `3D`, `2xl`. */
const SHORT_FORM = /^(?:[A-Z]{2,5}|[0-9][A-Za-z]{1,3})$/

/** Names rarely have more of them; keys in groups of capitals consist of them. */
const MOST_SHORT_FORMS = 2

/** Distinguishes `sk-` keys from class names such as `sk-cube-grid-wrapper-2`. */
export function isRandom(value: string): boolean {
  if (/[A-Za-z0-9]{20}/.test(value)) return true
  const parts = value.split(/[-_]/)
  const others = parts.filter(part => !NAME_PART.test(part))
  return (
    parts.some(part => part.length >= 8 && /[0-9]/.test(part) && /[A-Za-z]/.test(part)) ||
    others.length > MOST_SHORT_FORMS ||
    others.some(part => !SHORT_FORM.test(part))
  )
}

/** Endings of words of 16 letters and more: responsibilities, characterizations. */
const LONG_WORD = /(?:ilit(?:y|ies)|[ai]tions?|ments?|ically|istics|nesses)$/i

/** Prose about bearers with a number: the standard, its framework, or a digest. */
const NO_TOKEN = /^(?:RFC[0-9]+|OAuth2?(?:\.0)?|sha-?[0-9]+|[0-9a-f]{40}|[0-9a-f]{64})\.?$/i

/**
 * Distinguishes tokens from the next word of a sentence: `Bearer of news`, `bearer authentication`.
 *
 * Commit ids and SHA-256 digests are never secrets here; another detector treats them as tokens in an Authorization
 * header, where digests are not sent.
 */
export function isBearerToken(value: string): boolean {
  if (value.length < 6 || NO_TOKEN.test(value)) return false
  if (hasDigit(value) || /[a-z][A-Z]/.test(value)) return true
  return /^[A-Za-z]{20,}$/.test(value) || (/^[A-Za-z]{16,}$/.test(value) && !LONG_WORD.test(value))
}

/** Distinguishes the Base64 `user:password` of a Basic header from the next word of a sentence. */
export function isBasicCredential(value: string): boolean {
  const unpadded = value.replace(/=/g, '')
  return unpadded.length % 4 !== 1 && /^[\x20-\x7e]+:[\x20-\x7e]*$/.test(atob(unpadded))
}

const PLACEHOLDER_WORD =
  /^(?:pass(?:word|wd|phrase)?|pwd?|pw|secret|token|user(?:name)?|key|x-oauth-basic|none|null|undefined|true|false|required|optional|string|redacted|hidden|masked|removed|omitted|unknown|my[-_]?(?:password|secret|token|key))$/i
const PLACEHOLDER_START =
  /^(?:your|change[-_ ]?me|replace|insert|enter[-_]|example|placeholder|redacted|dummy|sample)/i

/** Distinguishes placeholders such as `${TOKEN}`, `<password>`, `***` and `changeme` from values. */
export function isPlaceholder(value: string): boolean {
  return (
    /\$\{|\{\{|^[<{[].*[>}\]]$|^\$[A-Z_][A-Z0-9_]*$|^%[A-Z_a-z]+%$|^(.)\1*$|^…/.test(value) ||
    PLACEHOLDER_WORD.test(value) ||
    PLACEHOLDER_START.test(value)
  )
}

/** Commit ids, digests and UUIDs are public. */
const IDENTIFIER =
  /^(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?:sha|md5|blake)[0-9a-z_]*[-:].*)$/i
const NUMBER_OR_TIME = /^[0-9TZ:.,_+-]+$/
const TYPE_OR_ALGORITHM =
  /^(?:(?:Big)?(?:Uint|Int|Float)[0-9]+(?:Clamped)?Array|argon2[a-z]+|base64[a-z]+|pbkdf2\S*)$/i

/** Distinguishes values from names, types, paths and placeholders after a label that prose and code also use. */
export function isAssignedSecret(value: string): boolean {
  if (isPlaceholder(value) || IDENTIFIER.test(value) || NUMBER_OR_TIME.test(value)) return false
  if (TYPE_OR_ALGORITHM.test(value) || isName(value)) return false
  return /[0-9!@#$%^&*+=?~|]|^[a-z]{16,}$/.test(value)
}

/** `auth-service-v2`, `process.env.TOKEN`, `./keys/2024.pem`: several plain words, each with at most a short number. */
function isName(value: string): boolean {
  const parts = value.split(/[-_./:]/)
  return parts.length > 1 && parts.every(part => /^[A-Za-z]*[0-9]{0,4}$/.test(part))
}
