import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileNameOf } from '../../src/operations/operation.ts'
import { readOperations } from './operations.ts'
import { publish } from './schema.ts'
import { root, writeGenerated } from './write.ts'

type Json = Record<string, unknown>

/** Writes the JSON Schema of each operation's output. */
export async function generateOutputs(): Promise<void> {
  for (const operation of await readOperations()) {
    const name = fileNameOf(operation.name)
    const schema = await readOutput(name)
    writeGenerated(`schemas/output/${name}.json`, `${JSON.stringify(schema, null, 2)}\n`)
  }
}

async function readOutput(name: string): Promise<Json> {
  const path = `src/operations/${name}/output.ts`
  if (!existsSync(join(root, path))) {
    throw new Error(`${path} is missing: every operation declares its output`)
  }
  const { default: authored } = await import(join(root, path))
  const schema = publish(JSON.parse(JSON.stringify(authored)), `output:${name}`)
  mustBeStated(schema, path)
  return schema
}

/** Requires a described object as output, with every object explicitly open or closed. */
function mustBeStated(schema: Json, path: string): void {
  const { type, title, description } = schema
  if (type !== 'object' || !title || !description) {
    throw new Error(`${path}: the output must be an object with a title and a description`)
  }
  mustBeClosed(schema, path)
}

function mustBeClosed(node: unknown, path: string): void {
  if (typeof node !== 'object' || node === null) return
  const { type, properties, additionalProperties } = node as Json
  if (type === 'object' && properties && additionalProperties === undefined) {
    throw new Error(`${path}: an object does not declare additionalProperties`)
  }
  for (const [key, value] of Object.entries(node)) mustBeClosed(value, `${path}/${key}`)
}
