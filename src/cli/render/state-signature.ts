import type { StateSignatureOutput } from '../../operations/state-signature/output.ts'
import type { Style } from '../parse.ts'
import { hang, indent, textWidth } from './layout.ts'

/** The YAML to paste, then what was compared. */
export function text(
  output: StateSignatureOutput,
  style: Style,
  _: unknown,
  quiet: boolean,
): string {
  if (quiet) return output.yaml
  const { listing, current, folders, shaping, whyNoSignature } = output
  const head = current.GitHead === 'unknown' ? (listing.whyNoHead ?? '') : 'git rev-parse HEAD'
  const source = listing.by === 'git' ? 'listed by Git' : 'listed from the folders'
  const digested = `${folders} folders and the text of ${shaping.length} files, ${source}`
  return [
    output.yaml,
    style('bold', 'Now'),
    `  GitHead        ${current.GitHead}`,
    ...evidence(head, style),
    `  RepoSignature  ${current.RepoSignature}`,
    ...evidence(whyNoSignature ?? digested, style),
    '',
    ...verdict(output, style),
  ].join('\n')
}

function evidence(words: string, style: Style): string[] {
  const lines = hang('', 0, words, textWidth() - 17)
  return indent(lines, 17).map(line => style('dim', line))
}

function verdict({ cache, RepoCacheFile }: StateSignatureOutput, style: Style): string[] {
  const { Valid, GitHeadMatch, RepoSignatureMatch, InvalidationReason, Loaded } = RepoCacheFile
  if (Valid) {
    const same = [
      ...(GitHeadMatch === true ? ['commit'] : []),
      ...(RepoSignatureMatch === true ? ['signature'] : []),
    ]
    return [
      `${style('green', '✓')} ${cache} is valid: ${same.join(' and ')} ${same.length === 1 ? 'matches' : 'match'}`,
      style('dim', 'discovery may be shortened; every gate stays'),
    ]
  }
  const label = `${cache}: `
  const next = Loaded ? 'rewrite the cache' : 'write the cache'
  return [
    `${style('yellow', '!')} ${label}${InvalidationReason}`,
    style('dim', `do the full discovery of phase 2, then ${next} with the values above`),
  ]
}
