/**
 * What another process has touched: names of documents (`runs/<id>`), of queues and of loops, as the rows of
 * `src/touches.ts` make them. `all` where it is not known: then anything may have changed.
 */
export type Touched = ReadonlySet<string> | 'all'
