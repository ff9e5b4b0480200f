import '#web/styles/login.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { router } from '#app/browser/router.tsx'
import { queries } from '#web/api/queries.ts'
import { ignoreKeysOfCompositions } from '#web/keys/composition.ts'
import { cssVariables, theme } from '#web/theme.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root')

ignoreKeysOfCompositions()

// Wait for the page's code and data before the first render: rendering an empty page first would delay the real content.
await router.load()
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
