import type { z } from 'zod'
import type { EndpointShape, Schema } from '#shared/endpoint.ts'

/*
 * Types for the data that the browser sends, inferred from a contract. If a schema accepts any input
 * (`z.coerce`, `z.preprocess`), the browser sends the schema's output type, such as a number instead of a
 * string.
 */

type Sent<S extends Schema> =
  unknown extends z.input<S> ? SentShape<z.output<S>, z.output<S>> : SentShape<z.input<S>, z.output<S>>

type SentShape<In, Out> = In extends readonly unknown[]
  ? Out
  : In extends object
    ? { [K in keyof In]: unknown extends In[K] ? (K extends keyof Out ? Out[K] : never) : In[K] }
    : In

type Declared<E extends EndpointShape> = 'params' | 'query' | 'body' extends infer Part
  ? Part extends 'params' | 'query' | 'body'
    ? E[Part] extends Schema
      ? Part
      : never
    : never
  : never

type Parts<E extends EndpointShape> = { [P in Declared<E>]: E[P] extends Schema ? Sent<E[P]> : never }

/** Makes a part of the input optional if nothing in it is required. */
type OptionalWhereEmpty<T> = { [K in keyof T as {} extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as {} extends T[K] ? K : never]?: T[K]
}

/** The file of an endpoint that requires one in its field `file`. */
type FilePart<E extends EndpointShape> = E['files'] extends { file: { required: true } }
  ? { file: Blob }
  : unknown

/** Input of a request to an endpoint. */
export type RequestInput<E extends EndpointShape> = OptionalWhereEmpty<Parts<E>> & FilePart<E>

/** Argument of a request function, optional if nothing has to be sent. */
export type InputArgument<E extends EndpointShape> =
  {} extends RequestInput<E> ? [input?: RequestInput<E>] : [input: RequestInput<E>]

/** Input for code that does not know the endpoint statically. */
export interface AnyInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  file?: Blob
}
