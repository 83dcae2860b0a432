import { writeSync } from 'node:fs'
import { withGateway } from '../src/operations/gateway/open.ts'
import { loadConfig } from '../src/workspace/index.ts'
import { bareApp } from './bare-app.ts'
import { recordSmall } from './ledger-folder.ts'

/**
 * A process of its own that appends to the log of an installation until it is refused or killed, and says what it was
 * promised: a line `index number` each. Arguments: the root, the first number, and how many at most.
 */
const [root = '', from = '0', most = '1000000'] = process.argv.slice(2)
const app = bareApp(root)

try {
  await withGateway(app, await loadConfig(root), async gateway => {
    for (let number = Number(from); number < Number(from) + Number(most); number++) {
      const { index } = await recordSmall(gateway, number)
      writeSync(1, `${index} ${number}\n`)
    }
  })
} catch (error) {
  const { code, message } = error as { code?: string; message: string }
  writeSync(1, `error ${code} ${message}\n`)
}
