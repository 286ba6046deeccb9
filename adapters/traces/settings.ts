/** Where traces are sent, and which. */
export interface TraceSettings {
  /** The collector's address, without the path of traces. */
  endpoint: string
  headers: Readonly<Record<string, string>>
  service: string | undefined
  resource: Readonly<Record<string, string>>
  sampler: Sampling
  /** For the samplers that take one: which part of traces, from 0 to 1. */
  share: number
}

/** Which traces are sent; `parentbased_…` go by what the caller has decided, where it has. */
type Sampling = `${'' | 'parentbased_'}${'always_on' | 'always_off' | 'traceidratio'}`
