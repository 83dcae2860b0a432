import { spelled } from '../../contract/index.ts'
import type { LogBundleOutput } from '../../operations/log-bundle/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** The bundle, or the file it was written to. */
export function text(output: LogBundleOutput, style: Style, _: App, quiet: boolean): string {
  const { file, bundle, index, digest } = output
  if (file === null) return JSON.stringify(bundle)
  if (quiet) return ''
  return `${style('green', `✓ ${spelled(file)}`)} holds entry ${index} ${style('dim', digest.slice(0, 12))}`
}
