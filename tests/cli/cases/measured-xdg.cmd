saved measured.json && mv "$HOME/.local/share" data && export XDG_DATA_HOME="$PWD/data" && roofline op dot n=1e8 dtype=f32 && XDG_DATA_HOME=relative roofline op dot n=1e8 --on this
