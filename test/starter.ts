import { join } from 'node:path'
import { startEmbedded } from '../src/store/index.ts'
import { startingIn } from './embedded.ts'

/** Starts the server of a repository, as its arguments say, and writes where it is. */
const [root = '', starting = '{}'] = process.argv.slice(2)
const server = await startEmbedded(join(root, '.waybill'), startingIn(root, JSON.parse(starting)))
process.stdout.write(JSON.stringify(server))
