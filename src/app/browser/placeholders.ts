/** Addresses of the specification whose area is not built yet: each shows one page that says so (docs/spec-gaps.md). */
export const placeholders: Readonly<Record<string, readonly (readonly [path: string, name: string])[]>> = {
  ],
  ],
}
