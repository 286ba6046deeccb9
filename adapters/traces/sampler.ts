import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import type { TraceSettings } from '#src/core/settings.ts'

/** Decides which traces are sent. */
export function samplerOf({ sampler, share }: Pick<TraceSettings, 'sampler' | 'share'>): Sampler {
  const root = rootOf(sampler.replace('parentbased_', ''), share)
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

function rootOf(name: string, share: number): Sampler {
  if (name === 'always_on') return new AlwaysOnSampler()
  return name === 'always_off' ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(share)
}
