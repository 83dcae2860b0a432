import type * as Ai from 'ai'
import type { ToolDescription, Tools } from '../../runner.ts'

/** Offers the tools of a task to a model; calls go through the guard. */
export async function offerTools(
  ai: typeof Ai,
  tools: Tools,
  signal: AbortSignal,
): Promise<Ai.ToolSet> {
  const offered: Ai.ToolSet = {}
  for (const tool of await untilAborted(tools.list(), signal)) {
    offered[freeName(tool.name, offered)] = ai.dynamicTool({
      description: tool.description,
      inputSchema: ai.jsonSchema(inputOf(tool)),
      execute: args => call(tools, tool.name, args, signal),
    })
  }
  return offered
}

/** Returns the result of a call to the model, with the `ref` for `tool_trace_refs`. */
async function call(tools: Tools, name: string, args: unknown, signal: AbortSignal) {
  try {
    const { isError, text, ref } = await untilAborted(tools.call(name, args, signal), signal)
    return { ref, is_error: isError, result: text }
  } catch {
    // Errors of the guard are internal and of no use to the model.
    return { is_error: true, result: 'the tool could not be called' }
  }
}

/** Stops waiting on abort, even for a tool that ignores the signal. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    const settled = () => signal.removeEventListener('abort', end)
    work.finally(settled).then(resolve, reject)
  })
}

function inputOf({ inputSchema }: ToolDescription): Record<string, unknown> {
  return { type: 'object', ...inputSchema }
}

/** Providers allow letters, digits, `_` and `-`, at most 64 characters. */
function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 60)
  let free = plain
  for (let n = 2; Object.hasOwn(taken, free); n += 1) free = `${plain}_${n}`
  return free
}
