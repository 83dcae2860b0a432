/** One process that decides on a proposal, or delivers one, as its first argument says; prints what came of it. */
import { decideProposal } from '../src/mission/approvals/decide.ts'
import { deliver } from '../src/mission/approvals/deliver.ts'
import { openStore } from '../src/store/index.ts'
import { gatewayOf } from './write-backs.ts'

const { act, root, url, given, attempt, writebacks, environment } = JSON.parse(
  process.argv[2] ?? '{}',
)
const store = await openStore({ url })
const gateway = await gatewayOf(root, url)
try {
  if (act === 'deliver') {
    const dispatch = { store, gateway, writebacks, environment }
    await deliver(attempt, dispatch, new AbortController().signal)
    process.stdout.write('{}')
  } else {
    const { decision } = await decideProposal(store, gateway, given)
    process.stdout.write(JSON.stringify({ by: decision.by, entry: decision.entry }))
  }
} catch (error) {
  const { code, message } = error as { code?: string; message: string }
  process.stdout.write(JSON.stringify({ code, message }))
} finally {
  await gateway.close()
  await store.close()
}
