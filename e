runnel: error: cannot open 'x.mp4': No such file or directory
