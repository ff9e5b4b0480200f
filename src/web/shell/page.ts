import type { RouteComponent } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The route's name: its h1, and the last part of the breadcrumb and of the document title (A §2). */
    name?: string
  }
}

/** A page of the panel: one row of a feature's route table. Parameters are written as `$id`. */
export interface Page {
  path: string
  name: string
  component: RouteComponent
  /**
   * Loads the function that requests the page's initial data, so that the page renders once, with its data;
   * the page itself makes the same request.
   */
  prepare?: () => Promise<(search: Record<string, unknown>) => Promise<unknown>>
}
