import { quote } from '../../contract/index.ts'
import { partOf, USUAL_HEADINGS } from '../../contracts/index.ts'
import { type Config, configurationError } from '../../workspace/index.ts'

/**
 * Requires that the headings in waybill.yaml stand for common names.
 *
 * @throws {WaybillError} 'configuration' when one does not
 */
export function mustKnowHeadings(config: Config): void {
  const faults = Object.entries(config.headings ?? {})
    .filter(([, common]) => partOf(common) === undefined)
    .map(([title, common]) => ({
      path: ['headings', title],
      message: `${quote(common)} is not a common heading of handoff notes`,
      hint: `write one such as ${Object.values(USUAL_HEADINGS).join(', ')}`,
    }))
  if (faults.length > 0) throw configurationError(config, faults)
}
