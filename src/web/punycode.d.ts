/** The package has no types. */
declare module 'punycode.js' {
  const punycode: {
    /** @throws RangeError if a label isn't valid. */
    toUnicode: (domain: string) => string
  }
  export default punycode
}
