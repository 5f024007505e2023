import { Component, type ComponentChildren } from 'preact';
import { visibleText } from './visible-text.ts';

/** Renders its children, or an error message. A recording from a file may have unexpected values. */
export class ErrorBoundary extends Component<{ readonly children: ComponentChildren }, { error?: string }> {
  override state: { error?: string } = {};

  override componentDidCatch(thrown: unknown): void {
    this.setState({ error: thrown instanceof Error ? thrown.message : String(thrown) });
  }

  render() {
    const { error } = this.state;
    return error === undefined ? (
      this.props.children
    ) : (
      <p class="notice error">Cannot show this part: {visibleText(error)}</p>
    );
  }
}
