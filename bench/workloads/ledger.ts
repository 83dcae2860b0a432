import { randomUUID } from 'node:crypto'
import { openGateway, type Predicates, readEntry } from '../../src/governance/index.ts'
import { receive, send } from '../../src/operations/index.ts'
import { loadConfig } from '../../src/workspace/index.ts'
import { draftOf, type GovernedRepository } from '../../test/governed-repository.ts'

/** Entries per batch. */
const TOGETHER = 2048

/** Fills the log of a repository with copies of a real accepted handoff under different ids. */
export async function fillLog(repository: GovernedRepository, size: number): Promise<void> {
  const { root } = repository
  const app = repository.app()
  repository.write('a.json', JSON.stringify(draftOf('domain-05-product', 'domain-02-analysis')))
  const { document } = await send.run({ path: `${root}/a.json` }, app)
  const { answer, receipt } = await receive.run({ path: `${root}/${document}` }, app)
  if (answer !== 'accepted') throw new Error(`the handoff was ${answer}`)
  const gateway = await openGateway(root, await loadConfig(root), { now: Date.now })
  try {
    const content = await gateway.log.content(receipt.index)
    const entry = content === undefined ? undefined : readEntry(content)
    if (entry?.is !== 'entry') throw new Error('nothing was recorded')
    const { subject, predicate } = entry.statement
    const says = predicate as unknown as Predicates['handoff-accepted'] & { agents: string[] }
    for (let done = receipt.index + 1; done < size; done += TOGETHER) {
      const recording = Array.from({ length: Math.min(TOGETHER, size - done) }, () =>
        gateway.record('handoff-accepted', {
          subject,
          ids: { handoff: randomUUID() },
          agents: says.agents,
          says,
        }),
      )
      await Promise.all(recording)
    }
  } finally {
    await gateway.close()
  }
}
