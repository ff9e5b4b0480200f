import 'react'

declare module 'react' {
  interface CSSProperties {
    /** Color of the product, used by elements that indicate the product. */
    '--product'?: string
    /** Shares of an inbox for its list and its reading pane, such as `47fr`. */
    '--list'?: string
    '--pane'?: string
  }
}
