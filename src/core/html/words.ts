const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** A time for people, in UTC, since the reader's time zone is not known. */
export function moment(at: string): string {
  return `${format.format(new Date(at))} UTC`
}

/** An amount for people; the currency defines how many of its smallest units are one. */
export function money(amountCents: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.format(amountCents / 10 ** digitsOf(format))
}

/** The same as a number with its digits, for programs: `49.90`. */
export function amountOf(amountCents: number, currency: string): string {
  const digits = digitsOf(new Intl.NumberFormat('en', { style: 'currency', currency }))
  return (amountCents / 10 ** digits).toFixed(digits)
}

function digitsOf(format: Intl.NumberFormat): number {
  return format.resolvedOptions().maximumFractionDigits ?? 2
}

const number = new Intl.NumberFormat('en')

/** A count for people: `1 agent`, `1,200 agents`. */
export function count(many: number, one: string, more = `${one}s`): string {
  return `${number.format(many)} ${many === 1 ? one : more}`
}
