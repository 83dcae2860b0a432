import { type Document, findSecrets, type Path } from '../../document/index.ts'
import type { Objection } from './objection.ts'

/** The most places reported. */
const MOST_PLACES = 10

/** Reports text in an artifact that looks like a credential. */
export function secretsIn({ text, value }: Pick<Document, 'text' | 'value'>): readonly Objection[] {
  const [first] = findSecrets(text)
  // The text contains every value, and escapes are decoded: without a match there, values need no search.
  if (!first) return []
  const places: Objection[] = []
  for (const { path, text: leaf } of textsIn(value)) {
    // A label and its value may only match together.
    const [secret] = findSecrets(`${String(path.at(-1) ?? '')}: ${leaf}`)
    if (secret) places.push(objection(path, secret.kind))
    if (places.length === MOST_PLACES) break
  }
  return places.length > 0 ? places : [objection([], first.kind)]
}

function* textsIn(root: unknown): Iterable<{ path: Path; text: string }> {
  const open: { path: Path; value: unknown }[] = [{ path: [], value: root }]
  for (let node = open.pop(); node; node = open.pop()) {
    const { path, value } = node
    if (typeof value === 'string') yield { path, text: value }
    if (typeof value !== 'object' || value === null) continue
    const keyOf = (key: string) => (Array.isArray(value) ? Number(key) : key)
    for (const [key, inner] of Object.entries(value).reverse())
      open.push({ path: [...path, keyOf(key)], value: inner })
  }
}

function objection(path: Path, kind: string): Objection {
  return {
    code: 'mission/secret',
    path,
    message: `looks like a credential (${kind})`,
    hint: 'remove it and refer to where it is stored: artifacts are kept permanently',
  }
}
