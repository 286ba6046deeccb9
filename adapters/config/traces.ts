import type { TraceSettings } from '#src/core/settings.ts'
import { always, maybe, some } from './kinds.ts'
import { webAddress } from './network.ts'
import { oneOf, wrong, type Read } from './values.ts'

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const satisfies readonly TraceSettings['sampler'][]

const name = /^[^\s,=;"\\]{1,256}$/
const rule = 'must be name=value pairs between commas, with values in percent encoding'

/** Pairs as W3C Baggage writes them. */
const pairs: Read<[string, string][]> = (text) =>
  text.split(',').flatMap((part): [string, string][] => {
    if (part.trim() === '') return []
    const at = part.indexOf('=')
    const key = part.slice(0, at).trim()
    if (at < 1 || !name.test(key)) return wrong(rule, text)
    try {
      return [[key, decodeURIComponent(part.slice(at + 1).trim())]]
    } catch {
      return wrong(rule, text)
    }
  })

const share: Read<number> = (text) => {
  const value = Number(text)
  return text.trim() !== '' && value >= 0 && value <= 1
    ? value
    : wrong('must be a number from 0 to 1', text)
}

const plain: Read<string> = (text) =>
  /^\P{Cc}{1,256}$/u.test(text) ? text : wrong('must be a text of at most 256 characters', text)

/** The settings of traces, by the names that OpenTelemetry gives them. */
export const tracing = {
  OTEL_EXPORTER_OTLP_ENDPOINT: maybe(webAddress, {
    default: 'none',
    unit: 'URL',
    meaning: 'Where [traces](docs/traces.md) are sent, by OTLP.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: some(pairs, {
    default: 'none',
    unit: 'name=value pairs',
    meaning: 'Headers of them.',
    isSecret: true,
  }),
  OTEL_SERVICE_NAME: maybe(plain, {
    default: 'abode',
    unit: 'text',
    meaning: 'The name of the server there.',
  }),
  OTEL_RESOURCE_ATTRIBUTES: some(pairs, {
    default: 'none',
    unit: 'name=value pairs',
    meaning: 'What else traces say of the server.',
  }),
  OTEL_TRACES_SAMPLER: always(oneOf(samplers), {
    default: 'parentbased_always_on',
    unit: 'name',
    meaning: 'Which traces are sent.',
  }),
  OTEL_TRACES_SAMPLER_ARG: always(share, {
    default: '1',
    unit: 'number from 0 to 1',
    meaning: 'The part of them that is sent, by ratio.',
  }),
}

type Pairs = readonly [string, string][]
type Get = {
  (name: 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME'): string | undefined
  (name: 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_RESOURCE_ATTRIBUTES'): Pairs
  (name: 'OTEL_TRACES_SAMPLER'): (typeof samplers)[number]
  (name: 'OTEL_TRACES_SAMPLER_ARG'): number
}

/** What is set of traces; undefined where they are sent nowhere. */
export function tracesOf(get: Get): TraceSettings | undefined {
  const endpoint = get('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (endpoint === undefined) return undefined
  return {
    endpoint,
    headers: Object.fromEntries(get('OTEL_EXPORTER_OTLP_HEADERS')),
    service: get('OTEL_SERVICE_NAME'),
    resource: Object.fromEntries(get('OTEL_RESOURCE_ATTRIBUTES')),
    sampler: get('OTEL_TRACES_SAMPLER'),
    share: get('OTEL_TRACES_SAMPLER_ARG'),
  }
}
