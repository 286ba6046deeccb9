/**
 * Whether the tests run in their long form, which `LONG_TESTS=1` asks for: more kills, more writes, and
 * leases that run out by themselves. The short form proves the same by less of it.
 */
export const isLong = process.env.LONG_TESTS === '1'

/** What the two forms of a test have of something. */
export function inForm<T>(forms: { short: T; long: T }): T {
  return isLong ? forms.long : forms.short
}
