import type { LanguageModel } from 'ai'
import { loadAnthropic, loadOpenAiCompatible } from '../../packages.ts'
import { type Failure, failed } from '../failure.ts'
import { secretIn } from '../secret.ts'

/** A model in `waybill.yaml`. */
export interface Model {
  readonly provider: 'openai-compatible' | 'anthropic'
  readonly model: string
  readonly url?: string
  readonly key?: string
}

/** The model of a route, with its URL and key. */
export interface Chosen {
  readonly is: 'chosen'
  /** Its name in messages. */
  readonly who: string
  readonly model: Model
  readonly url: URL
  readonly key: string | undefined
}

/** The most routes listed in a message. */
const MOST_NAMED = 10
const ANTHROPIC = 'https://api.anthropic.com/v1'

/** Finds the model of a route, and its key in the environment. */
export function chooseModel(
  route: string | undefined,
  models: Readonly<Record<string, Model>>,
  environment: Readonly<Record<string, string | undefined>>,
): Chosen | Failure {
  if (route === undefined) return missing('no model route is configured')
  const model = Object.hasOwn(models, route) ? models[route] : undefined
  if (!model) {
    const known = Object.keys(models).slice(0, MOST_NAMED).join(', ') || 'none'
    return missing(`the route ${route} has no model: missions.models has ${known}`)
  }
  const written = model.url ?? (model.provider === 'anthropic' ? ANTHROPIC : undefined)
  const url = written && URL.canParse(written) ? new URL(written) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    return missing(`the model of the route ${route} has no http or https URL`)
  }
  const who = `the model of the route ${route}`
  const found = secretIn(model.key, environment)
  if ('why' in found) return missing(`${who} ${found.why}`)
  return { is: 'chosen', who, model, url, key: found.secret }
}

/** The provider name that selects our options. */
const NAME = 'configured'

/** Creates a model client. Every setting is given, so that the provider reads no environment variables. */
export async function openModel(
  { model, url, key }: Chosen,
  ask: typeof fetch,
): Promise<Exclude<LanguageModel, string>> {
  const baseURL = url.href.replace(/\/+$/, '')
  if (model.provider === 'anthropic') {
    const { createAnthropic } = await loadAnthropic()
    return createAnthropic({ baseURL, apiKey: key ?? '', fetch: ask })(model.model)
  }
  const { createOpenAICompatible } = await loadOpenAiCompatible()
  return createOpenAICompatible({
    name: NAME,
    baseURL,
    ...(key === undefined ? {} : { apiKey: key }),
    fetch: ask,
    includeUsage: true,
    supportsStructuredOutputs: true,
  })(model.model)
}

/** Strict mode requires all properties, but ours are partly optional. */
export const PROVIDER_OPTIONS = { [NAME]: { strictJsonSchema: false } }

function missing(message: string): Failure {
  return failed('mission/runner-missing', message, false)
}
