import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/*
 * The only theme: neutral grays, one accent color, 13 px. Colors that Mantine derives are replaced if they
 * don't meet AA contrast (dimmed text, placeholders, light badges).
 */

const neutral: MantineColorsTuple = [
  '#fafafa',
  '#f4f4f5',
  '#ebebed',
  '#dedee2',
  '#c8c8ce',
  '#a1a1aa',
  '#71717a',
  '#52525b',
  '#3a3a42',
  '#1c1c21',
]
const dark: MantineColorsTuple = [
  '#e4e4e9',
  '#b4b4bd',
  '#9a9aa5',
  '#5c5c66',
  '#3c3c45',
  '#2f2f37',
  '#25252c',
  '#19191e',
  '#131317',
  '#0e0e11',
]
const accent: MantineColorsTuple = [
  '#eef0ff',
  '#dfe2fe',
  '#c3c8fb',
  '#a2a8f7',
  '#8288f2',
  '#6a6fec',
  '#4f51dd',
  '#4341c4',
  '#39379f',
  '#2d2b78',
]

// A long title without spaces must not push the close button out of reach.
const modalTitle = { fontSize: '14px', fontWeight: 600, lineHeight: 1.3, overflowWrap: 'anywhere' } as const

// The window itself does not scroll, only parts of it do (Shell.module.css); locking it would recompute the
// styles of everything on the page.
const noLock = { lockScroll: false }

/** Returns a height that is large enough to tap on a phone (`--touch-height` in base.css). */
const atLeastTouch = (height: string) => `max(var(${height}), var(--touch-height))`

export const theme = createTheme({
  colors: { gray: neutral, dark, accent },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 6 },
  fontFamily: "Inter, 'Inter stand-in', system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '14px', xl: '16px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '18px', lineHeight: '24px' },
      h2: { fontSize: '14px', lineHeight: '20px' },
      h3: { fontSize: '13px', lineHeight: '18px' },
    },
  },
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '6px', md: '8px', lg: '10px', xl: '14px' },
  spacing: { xs: '6px', sm: '10px', md: '14px', lg: '18px', xl: '26px' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    NativeSelect: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs', comboboxProps: { transitionProps: { duration: 0 } } } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    TagsInput: { defaultProps: { size: 'xs' } },
    FileInput: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs', radius: 'xs' } },
    Radio: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    Button: {
      defaultProps: { size: 'xs' },
      vars: (_theme: unknown, { size = 'xs' }: { size?: string }) => ({
        // A compact button is inside a line of text or a row.
        root: size.startsWith('compact')
          ? {}
          : { '--button-height': atLeastTouch(`--button-height-${size}`) },
      }),
    },
    Input: {
      vars: (_theme: unknown, { size = 'sm' }: { size?: string }) => ({
        wrapper: { '--input-height': atLeastTouch(`--input-height-${size}`) },
      }),
    },
    InputWrapper: {
      vars: () => ({
        label: {},
        description: { '--input-description-size': '12px' },
        error: { '--input-error-size': '12px' },
      }),
    },
    Modal: {
      styles: { title: modalTitle },
      defaultProps: {
        ...noLock,
        transitionProps: { duration: 0 },
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    Drawer: {
      styles: { title: modalTitle },
      defaultProps: {
        ...noLock,
        transitionProps: { duration: 120 },
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    Portal: { defaultProps: { target: '#overlays' } },
    Popover: { defaultProps: { transitionProps: { duration: 0 }, shadow: 'md' } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 0 } } },
  },
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--radius': '8px',
    '--flag': 'polygon(0 0, 100% 0, 72% 34%, 100% 68%, 18% 68%, 18% 100%, 0 100%)',
  },
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#1c1c21',
    '--mantine-color-dimmed': '#5f5f69',
    '--mantine-color-placeholder': '#6b6b75',
    '--mantine-color-error': '#b42318',
    '--mantine-color-default-border': '#d4d4d9',
    '--mantine-color-anchor': '#4341c4',
    '--mantine-color-disabled-color': '#66666f',
    '--page': '#f7f7f8',
    '--surface': '#ffffff',
    '--surface-raised': '#fafafa',
    '--surface-hover': '#f5f5f7',
    '--surface-selected': '#eef0ff',
    '--line': '#e2e2e6',
    '--line-soft': '#efeff1',
    '--line-strong': '#c8c8ce',
    '--text': '#1c1c21',
    '--text-soft': '#5f5f69',
    '--accent-line': '#4f51dd',
    '--accent-text': '#4341c4',
    '--skeleton': '#ececef',
    '--note': '#fdf6e3',
    '--note-line': '#ecdcae',
    '--menu-hover': '#f0f0f2',
    '--menu-active': '#e8e8ec',
    ...tones.light,
  },
  dark: {
    '--mantine-color-body': '#17171b',
    '--mantine-color-text': '#e8e8ec',
    '--mantine-color-dimmed': '#a3a3ae',
    '--mantine-color-placeholder': '#8f8f9b',
    '--mantine-color-error': '#ff8a80',
    '--mantine-color-default': '#1f1f24',
    '--mantine-color-default-hover': '#27272e',
    '--mantine-color-default-border': '#3a3a43',
    '--mantine-color-anchor': '#a9aef8',
    '--mantine-color-disabled-color': '#8f8f9b',
    '--page': '#111114',
    '--surface': '#17171b',
    '--surface-raised': '#1c1c21',
    '--surface-hover': '#202026',
    '--surface-selected': '#24243c',
    '--line': '#2b2b32',
    '--line-soft': '#222228',
    '--line-strong': '#44444e',
    '--text': '#e8e8ec',
    '--text-soft': '#a3a3ae',
    '--accent-line': '#8288f2',
    '--accent-text': '#a9aef8',
    '--skeleton': '#26262d',
    '--note': '#2a2518',
    '--note-line': '#4a4022',
    '--menu-hover': '#222228',
    '--menu-active': '#2a2a32',
    ...tones.dark,
  },
})

/**
 * Tones of statuses and priorities: the colors used in charts and for the pill or flag that shows the name.
 * The contrast with the surface is at least 3:1.
 */
export const toneNames = [
  'gray',
  'blue',
  'cyan',
  'teal',
  'green',
  'lime',
  'yellow',
  'orange',
  'red',
  'pink',
  'violet',
  'indigo',
] as const
export type Tone = (typeof toneNames)[number]
export const toneColor = (tone: string): string =>
  `var(--tone-${(toneNames as readonly string[]).includes(tone) ? tone : 'gray'})`

const toneValues = {
  gray: ['#7a7a85', '#9a9aa5'],
  blue: ['#2f6fe4', '#6ea4ff'],
  cyan: ['#0e86a8', '#4cc3e0'],
  teal: ['#0f8a7a', '#3fc7b4'],
  green: ['#2a8a3e', '#5cc773'],
  lime: ['#5d8a12', '#a3cf4a'],
  yellow: ['#9a7400', '#e2bd3b'],
  orange: ['#c2590c', '#f29a4d'],
  red: ['#d0342c', '#ff7b72'],
  pink: ['#c2337f', '#f27fb8'],
  violet: ['#7a45d6', '#b08cf5'],
  indigo: ['#4f51dd', '#8f94f5'],
} as const satisfies Record<Tone, readonly [light: string, dark: string]>

const tones = {
  light: Object.fromEntries(toneNames.map((tone) => [`--tone-${tone}`, toneValues[tone][0]])),
  dark: Object.fromEntries(toneNames.map((tone) => [`--tone-${tone}`, toneValues[tone][1]])),
}

/** Tone of each product's dot, which helps users avoid working in the wrong product. */
const productTones: Record<number, Tone> = { 1: 'teal', 2: 'orange', 3: 'violet', 4: 'blue' }
export const productColor = (product: number): string => toneColor(productTones[product] ?? 'gray')
