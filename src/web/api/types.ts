import type { z } from 'zod'
import type { EndpointShape, Schema } from '#shared/endpoint.ts'

/*
 * What the browser sends, inferred from a contract. Where a schema takes anything (`z.coerce`, `z.preprocess`),
 * the browser sends what comes out of it: numbers where numbers are meant.
 */

type Sent<S extends Schema> = unknown extends z.input<S> ? SentShape<z.output<S>, z.output<S>> : SentShape<z.input<S>, z.output<S>>

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

/** A part of which nothing is required may be left out. */
type OptionalWhereEmpty<T> = { [K in keyof T as {} extends T[K] ? never : K]: T[K] } & { [K in keyof T as {} extends T[K] ? K : never]?: T[K] }

type FilePart<E extends EndpointShape> = E['file'] extends { required: true }
  ? { file: Blob }
  : E['file'] extends { required: false }
    ? { file?: Blob }
    : unknown

/** What a request to an endpoint carries. */
export type RequestInput<E extends EndpointShape> = OptionalWhereEmpty<Parts<E>> & FilePart<E>

/** The argument of a request: absent where nothing has to be sent. */
export type InputArgument<E extends EndpointShape> = {} extends RequestInput<E> ? [input?: RequestInput<E>] : [input: RequestInput<E>]

/** The same for code that does not know which endpoint it has. */
export interface AnyInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  file?: Blob
}
