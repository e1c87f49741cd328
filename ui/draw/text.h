/* Text as textures, by SDL2_ttf in the font that fontconfig calls "sans", cached by its string. */
#ifndef RN_UI_DRAW_TEXT_H
#define RN_UI_DRAW_TEXT_H

#include <SDL.h>
#include <stddef.h>

struct rn_ui_font;

struct rn_ui_text {
    char *string;
    int px, wrap;
    SDL_Texture *texture; /* NULL: nothing to see, or it failed; then w is 0 */
    int w, h;
    unsigned used;
};

/* Returns 0, also when no font is found (a warning; *font is NULL then), or RN_EINTERNAL (logged).
 */
int rn_ui_font_open(struct rn_ui_font **font, SDL_Renderer *renderer);
void rn_ui_font_close(struct rn_ui_font **font);

/* Forgets the textures; NULL is legal. */
void rn_ui_font_flush(struct rn_ui_font *font);

/* Text of len bytes at a size of px pixels; wrap: width at which lines break, 0: one line. NULL:
 * out of memory. Valid until 256 others were asked for. */
const struct rn_ui_text *rn_ui_text_get(struct rn_ui_font *font, const char *s, size_t len, int px,
                                        int wrap);

/* Draws it with its corner at x, y. NULL is legal. */
void rn_ui_text_draw(struct rn_ui_font *font, const struct rn_ui_text *text, int x, int y,
                     SDL_Color colour);

#endif
