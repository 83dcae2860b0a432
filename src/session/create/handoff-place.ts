import { posix, relative, sep } from 'node:path'
import type { Files } from '../../contract/index.ts'
import { packageOfHandoff, predecessorPlaces } from '../../contracts/index.ts'
import { formatInstant } from '../../document/index.ts'
import { walk } from '../../workspace/index.ts'

const LONGEST_SLUG = 48
const FOLDER = 'handoffs'

/** A slug for a file name: lower-case letters and digits, joined by hyphens. */
export function slugOf(words: string): string {
  const plain = words.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const slug = (plain.match(/[a-z0-9]+/g) ?? []).join('-')
  if (slug.length <= LONGEST_SLUG) return slug
  const lastWord = slug.lastIndexOf('-', LONGEST_SLUG)
  return slug.slice(0, lastWord > 0 ? lastWord : LONGEST_SLUG)
}

/** The file name of a handoff document: `2026-02-11T14-30-00Z-schema-draft.md`. */
export function handoffName(time: number, slug: string): string {
  const stamp = formatInstant(Math.floor(time / 1000) * 1000).replaceAll(':', '-')
  return `${stamp}-${slug || 'handoff'}.md`
}

/**
 * The folder for the handoffs of a decision record: in its package, else that of the predecessor, else at the root.
 *
 * Prefers a package that already has handoffs, then the one nearest to the root.
 */
export function handoffFolder(
  root: string,
  adr: string | undefined,
  predecessor: string | undefined,
  ignore: readonly string[] | undefined,
): string {
  const inPackage = adr === undefined ? undefined : packageFolder(root, adr, ignore)
  if (inPackage !== undefined) return posix.join(inPackage, FOLDER)
  return predecessor === undefined ? FOLDER : posix.dirname(predecessor)
}

function packageFolder(
  root: string,
  adr: string,
  ignore: readonly string[] | undefined,
): string | undefined {
  const folders = new Map<string, boolean>()
  for (const file of walk(root, root, { ignore }).files) {
    const names = relative(root, file).split(sep).slice(0, -1)
    for (const [i, name] of names.entries()) {
      // A package is recognised by the folder above its handoffs, so test a hypothetical handoff path.
      if (packageOfHandoff(`${name}/${FOLDER}/x`) !== adr.toUpperCase()) continue
      const folder = names.slice(0, i + 1).join('/')
      folders.set(folder, (folders.get(folder) ?? false) || names[i + 1] === FOLDER)
    }
  }
  const depth = (path: string) => path.split('/').length
  const [best] = [...folders].sort(
    ([a, used], [b, other]) =>
      Number(other) - Number(used) || depth(a) - depth(b) || (a < b ? -1 : 1),
  )
  return best?.[0]
}

/** The predecessor as a document refers to it: relative to the folder above `handoffs/`, else to the root. */
export function referenceTo(predecessor: string, path: string, files: Files): string | undefined {
  const names = path.split('/').slice(0, -1)
  const handoffs = names.lastIndexOf(FOLDER)
  const above = names.slice(0, Math.max(handoffs, 0)).join('/')
  const candidates = [
    posix.relative(`/${above}`, `/${predecessor}`),
    predecessor,
    posix.relative(`/${names.join('/')}`, `/${predecessor}`),
  ]
  return candidates.find(
    reference =>
      predecessorPlaces(path, reference).find(place => files.kindOf(place) !== 'missing') ===
      predecessor,
  )
}
