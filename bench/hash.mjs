// The minimal work of locking: read and hash every file of a folder.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
let hashed = 0
for (const name of readdirSync(folder)) {
  createHash('sha256').update(readFileSync(join(folder, name))).digest('hex')
  hashed++
}
if (hashed === 0) process.exitCode = 1
