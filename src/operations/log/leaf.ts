import { WaybillError } from '../../error.ts'
import { decodeBundle, type LogReader, TILE_WIDTH, tileAt } from '../../ledger/index.ts'

/**
 * Reads the leaf of an entry.
 *
 * @throws {WaybillError} 'ledger-tampered' when it cannot be read
 */
export async function leafAt(log: LogReader, size: number, index: number): Promise<Uint8Array> {
  const bundle = await log.tile(tileAt('entries', Math.floor(index / TILE_WIDTH), size))
  const leaf = decodeBundle(bundle)?.[index % TILE_WIDTH]
  if (leaf) return leaf
  throw new WaybillError('ledger-tampered', `entry ${index} cannot be read`, {
    hint: 'run waybill log verify for details',
  })
}
