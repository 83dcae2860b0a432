import type { NewOutput } from './output.ts'

/** For an agent, a path is one of a file that is there. */
export function withoutTarget<O extends NewOutput>(output: O): object {
  return output.created ? output : { ...output, path: null, target: output.path }
}
