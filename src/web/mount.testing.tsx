import '#web/styles/login.ts'
import '#web/styles/signed-in.ts'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { queries } from '#web/api/queries.ts'
import { cssVariables, theme } from '#web/theme.ts'

/** Renders a page of shared parts, outside the panel, with the panel's styles and theme. */
export const mount = (page: ReactNode): void =>
  createRoot(document.getElementById('root')!).render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>{page}</QueryClientProvider>
    </MantineProvider>,
  )
