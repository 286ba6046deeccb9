/** The values of a stored field that is filtered or sorted on. */
export type Scalar = string | number | boolean | null

/**
 * Conditions on one path. Pinned by the contract suite: `null` also matches a missing field, and so does
 * `$ne` to any value; arrays are tested with `$all` only; a missing field never satisfies a comparison.
 */
export interface Condition {
  $in?: readonly Scalar[]
  $ne?: Scalar
  $gt?: Scalar
  $gte?: Scalar
  $lt?: Scalar
  $lte?: Scalar
  $exists?: boolean
  $all?: readonly Scalar[]
}

/** The path of a member inside a member. */
export type Dotted<T> = `${keyof T & string}.${string}`

/** All members must hold. Keys are paths from the source, never a caller's text. */
export type Filter<T> = { [K in (keyof T & string) | Dotted<T>]?: Scalar | Condition } & {
  $or?: readonly Filter<T>[]
}
